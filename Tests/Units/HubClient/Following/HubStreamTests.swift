import Core
import Events
import Foundation
import HTTP
import HubClient
import Keys
import Synchronization
import TestSupport
import Testing
import Tokens

/// A hub's stream as server-sent events, from hubs that misbehave.
struct HubStreamTests {
  private let home: Home

  init() throws {
    home = try Home()
    _ = try OwnerToken.made(in: home.directories)
  }

  private static func reply(
    _ status: String, _ body: String, type: String = "text/event-stream"
  ) -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: \(type)\nContent-Length: \(body.utf8.count)\nConnection: close\n\n",
      body: Array(body.utf8))
  }

  /// A head that ends within its fields, behind the length of a body.
  private static let cutHead = Reply("HTTP/1.1 200 OK\nContent-Length: 9\nContent-Ty", body: [])

  private static func event(_ number: Int) -> String {
    "id: e-\(number)\ndata: {\"id\":\"e-\(number)\",\"type\":\"log\"}\n\n"
  }

  private func stream(
    _ server: LoopbackServer, after: String? = nil, interruption: Interruption = Interruption(),
    lost: @escaping (Failure) -> Void = { _ in }
  ) throws -> Held {
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    try OwnHub(listening: server.url(""), tlsKey: nil).write(in: home.directories)
    let hubs = HubGroup(
      try HubChoice(url: server.url("")), keys: keys, directories: home.directories)
    return stream(hubs, after: after, interruption: interruption, lost: lost)
  }

  private func stream(
    _ hubs: HubGroup, after: String? = nil, interruption: Interruption = Interruption(),
    lost: @escaping (Failure) -> Void = { _ in }
  ) -> Held {
    var filter = EventFilter()
    filter.agents = ["a b"]
    filter.level = .warn
    return Held(
      HubStream(
        hubs, HubSubscription(filter, perSecond: 7, after: after), interruption: interruption,
        lost: lost))
  }

  /// Reads on until so many lines came, or the stream has failed; on a thread that may wait.
  private func lines(_ stream: Held, _ count: Int) async throws -> [String] {
    try await Blocking("test").run { () throws(Failure) in
      var text: [UInt8] = []
      while text.count(where: { $0 == 0x0A }) < count {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { room.deallocate() }
        let read = try stream.value.read(into: room)
        text += room[..<read]
      }
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Read by one thread at a time.
  private struct Held: @unchecked Sendable {
    let value: HubStream
    init(_ value: HubStream) { self.value = value }
  }

  @Test func `after a loss it goes on after the last event, and gives none twice`() async throws {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      switch number {
      case 1: return Self.reply("200 OK", ": hub\nid: e-3\n\n")
      case 2: return Self.reply("200 OK", Self.event(4) + Self.event(5) + "id: e-6\ndata: {\"id")
      case 3: return Self.reply("503 Service Unavailable", "{}", type: "application/json")
      case 4: return Self.cutHead
      default: return Self.reply("200 OK", Self.event(5) + Self.event(6) + Self.event(7))
      }
    }
    let told = Mutex(0)
    let stream = try stream(server) { _ in told.withLock { $0 += 1 } }
    #expect(
      try await lines(stream, 4) == (4...7).map { "{\"id\":\"e-\($0)\",\"type\":\"log\"}" })
    let asked = server.requests.prefix(5).map { $0.components(separatedBy: "\r\n")[0] }
    let query =
      "/v1/stream?protocol=1&agentIds=a%20b&severityGte=warn&maxEventsPerSecond=7"
    #expect(
      asked == [
        "GET \(query) HTTP/1.1", "GET \(query)&lastEventId=e-3 HTTP/1.1",
        "GET \(query)&lastEventId=e-5 HTTP/1.1", "GET \(query)&lastEventId=e-5 HTTP/1.1",
        "GET \(query)&lastEventId=e-5 HTTP/1.1",
      ])
    // An attempt that fails is no other loss.
    #expect(told.withLock { $0 } == 2)
  }

  @Test func `a hub that is gone is followed by the next of its list`() async throws {
    let count = Mutex(0)
    let first = try LoopbackServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? Self.reply("200 OK", Self.event(4) + Self.event(5))
        : Self.reply("503 Service Unavailable", "{}", type: "application/json")
    }
    let second = try LoopbackServer { _ in
      Self.reply("200 OK", Self.event(5) + Self.event(6) + Self.event(7))
    }
    let hubs = try [first, second].map { try HubChoice(url: $0.url("")) }
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    _ = try keys.set(hubs[0].keyName, to: AccessToken.access.make())
    let told = Mutex<[String]>([])
    let group = HubGroup(hubs[0], [hubs[1]], keys: keys, directories: home.directories)
    let stream = stream(group) { lost in told.withLock { $0.append(lost.explanation) } }
    #expect(
      try await lines(stream, 4) == (4...7).map { "{\"id\":\"e-\($0)\",\"type\":\"log\"}" })
    #expect(first.requests.count == 2 && group.hub == hubs[1])
    #expect(second.requests.first?.contains("&lastEventId=e-5 ") == true)
    #expect(told.withLock { $0 } == ["the connection to '\(hubs[0].url)' was lost"])
  }

  @Test(arguments: [
    ("426 Upgrade Required", FailureCode.protocolMismatch), ("403 Forbidden", .permissionDenied),
    ("421 Misdirected Request", .badInput), ("401 Unauthorized", .authExpired),
  ])
  func `what will not change is asked once`(status: String, code: FailureCode) async throws {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? Self.reply("200 OK", Self.event(1)) : Self.reply(status, "{}", type: "application/json")
    }
    let stream = try stream(server)
    #expect(try await lines(stream, 1).count == 1)
    let failure = await #expect(throws: Failure.self) { try await lines(stream, 1) }
    #expect(failure?.code == code)
    #expect(server.requests.count == 2)
  }

  @Test func `what is no stream is told, and a wait ends when the process is to end`() async throws
  {
    let page = try LoopbackServer { _ in Self.reply("200 OK", "{}", type: "application/json") }
    let failure = await #expect(throws: Failure.self) {
      try await lines(try stream(page), 1)
    }
    #expect(failure?.code == .invalidResponse)
    let interruption = Interruption()
    interruption.fire(signal: SIGTERM)
    let server = try LoopbackServer { _ in Self.reply("200 OK", ": hub\n\n") }
    let ended = await #expect(throws: Failure.self) {
      try await lines(try stream(server, interruption: interruption), 1)
    }
    #expect(ended?.code == .interrupted)
  }
}
