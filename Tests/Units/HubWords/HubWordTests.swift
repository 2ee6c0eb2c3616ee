import Core
import Foundation
import HubWords
import TestSupport
import Testing

/// Bodies and frames survive the way, and have the names that the contracts give them.
struct HubWordTests {
  private static func isSame<Word: HubWord>(_ word: Word) throws -> Bool {
    try Word(json: try word.body()) == word
  }

  private static func takesNewer<Word: HubWord>(_ word: Word) throws -> Bool {
    let newer = try ActivityMembers(activity: ["a": [1]]).added(to: try word.json())
    return try Word(json: Array(newer.utf8)) == word
  }

  private static func members(of word: any HubWord) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: Data(try word.body()))
    return Set((object as? [String: Any] ?? [:]).keys)
  }

  @Test(arguments: 0..<40)
  func `every body and frame is decoded as it was encoded`(seed: Int) throws {
    var words = RandomWords(seed: UInt64(seed))
    for word in words.all() {
      for word in [word.full, word.least] {
        #expect(try Self.isSame(word), "\(word)")
        #expect(try Self.takesNewer(word), "\(word)")
      }
    }
  }

  @Test func `every body and frame has the members of its contract`() throws {
    var words = RandomWords(seed: 1)
    for word in words.all() {
      let contract = try Contract(word.schema)
      #expect(!contract.members.isEmpty, "\(word.schema)")
      #expect(try Self.members(of: word.full) == contract.members, "\(word.schema)")
      #expect(try Self.members(of: word.least) == contract.required, "\(word.schema)")
    }
  }

  @Test func `messages of the stream have the members of their contracts`() throws {
    var message = LiveMessage(type: "subscribe", requestId: "r", id: 1)
    (message.filters, message.maxEventsPerSecond) = (EventFilters(), 5)
    (message.lastEventId, message.batch) = ("e-1", true)
    var reply = LiveReply(type: "subscribed", ts: 1, requestId: "r")
    (reply.maxEventsPerSecond, reply.lastEventId, reply.id) = (5, "e-1", 1)
    for (word, names) in [
      (message as any HubWord, ["subscribe", "unsubscribe", "throttle", "ask", "pong"]),
      (reply, ["subscribed", "unsubscribed", "throttled", "ping", "answer"]),
    ] {
      let contracts = try names.map { try Contract(.stream($0)).members }
      #expect(try Self.members(of: word) == contracts.reduce([]) { $0.union($1) })
      #expect(try Self.isSame(word))
    }
  }

  @Test func `a text is as it is written, sorted and with no more escapes than are needed`() throws
  {
    let page = EventPage(events: [RecordJSON("{\"b\":1.0,\"a\":\"/\"}")], lastId: nil, gap: nil)
    #expect(try page.json() == "{\"events\":[{\"b\":1.0,\"a\":\"/\"}],\"lastId\":null}")
    let errors = ErrorMembers(requestId: "r", supported: [1])
    #expect(try errors.added(to: "{\"z\":1}") == "{\"z\":1,\"requestId\":\"r\",\"supported\":[1]}")
    #expect(try ErrorMembers().added(to: "{\"z\":1}") == "{\"z\":1}")
  }

  @Test func `another coder keeps the value of a record`() throws {
    let list = AgentList(agents: [RecordJSON("{\"a\":[1,null,\"é\"]}")])
    let data = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(AgentList.self, from: data) == list)
  }

  @Test func `filters are the same as a query`() throws {
    var filters = EventFilters()
    (filters.swarmIds, filters.include) = (["a", "b"], ["logs"])
    (filters.since, filters.text) = ("5", "x")
    let query = filters.query
    #expect(query.map(\.name) == ["swarmIds", "swarmIds", "include", "since", "text"])
    func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
    let read = EventFilters(
      list: { values($0).isEmpty ? nil : values($0) }, value: { values($0).first })
    #expect(read == filters)
  }

  @Test(arguments: 0..<200)
  func `random bytes are no word, and end nothing`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let bytes = (0..<64).map { _ in random.one(of: Array("{}[]\":,aeginst01".utf8), else: 0) }
    _ = try? AgentList(json: bytes)
    _ = try? AgentList(json: Array("{\"agents\":[".utf8) + bytes + Array("]}".utf8))
  }
}
