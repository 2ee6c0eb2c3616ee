import Core
import Foundation
import HTTP
import TestSupport
import Testing

@Suite struct ServerSentEventParserTests {
  struct Case: Decodable {
    struct Event: Decodable {
      var event, data, id: String
      var retry: Int?
    }
    struct Final: Decodable {
      var id: String
      var retry: Int?
    }
    var name: String
    var chunks: [Data]
    var expect: [Event]
    var final: Final

    var events: [ServerSentEvent] {
      expect.map { ServerSentEvent(event: $0.event, data: $0.data, id: $0.id, retry: $0.retry) }
    }
  }

  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/sse-cases.ndjson")
    let lines = (try? Data(contentsOf: file))?.split(separator: 0x0A) ?? []
    return lines.compactMap { try? JSONDecoder().decode(Case.self, from: $0) }
  }()

  @Test func `Every case of the table is there`() {
    #expect(Self.cases.count == 187)
  }

  @Test func `Every case dispatches its events`() throws {
    for row in Self.cases {
      var parser = ServerSentEventParser()
      var events: [ServerSentEvent] = []
      for chunk in row.chunks { events += try parser.push(chunk) }
      #expect(events == row.events, "\(row.name)")
      #expect(parser.lastEventID == row.final.id, "\(row.name)")
      #expect(parser.retryMilliseconds == row.final.retry, "\(row.name)")
    }
  }

  @Test func `Where the bytes are cut makes no difference`() throws {
    var random = SeededRandom(seed: 1)
    for row in Self.cases where row.chunks.count < 1000 {
      let bytes = row.chunks.flatMap { [UInt8]($0) }
      for _ in 0..<5 {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(Int.random(in: 0...max(bytes.count / 4, 3), using: &random))
          events += try parser.push(piece)
          rest = rest.dropFirst(piece.count)
        }
        #expect(events == row.events, "\(row.name)")
      }
    }
  }

  @Test func `Random bytes never trap`() throws {
    var random = SeededRandom(seed: 2)
    let alphabet = Array("data:id retry event\u{FEFF}\r\n\n\r:0123é\0".utf8) + [0xFF, 0xEF]
    for _ in 0..<300 {
      var parser = ServerSentEventParser()
      for _ in 0..<20 {
        let count = Int.random(in: 0..<60, using: &random)
        let bytes = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
        let events = try parser.push(bytes)
        #expect(events.allSatisfy { !$0.event.isEmpty })
      }
    }
  }

  @Test func `An event over the maximum fails, whatever part of it is large`() {
    for text in [
      "data: aaaaaaaaaaaaaaaaaaaaaa", "data: aaaaaaaa\ndata: bbbbbbbb\n",
      "x\n:\nevent:12345678901234",
    ] {
      var parser = ServerSentEventParser(maximumEventBytes: 16)
      let failure = #expect(throws: Failure.self) { try parser.push(Array(text.utf8)) }
      #expect(failure?.kind == "tooLarge")
    }
  }

  @Test func `An endless comment is no event and takes no memory`() throws {
    var parser = ServerSentEventParser(maximumEventBytes: 64)
    #expect(try parser.push(Array(":".utf8)).isEmpty)
    for _ in 0..<100 { #expect(try parser.push(Array("keep-alive ".utf8)).isEmpty) }
    #expect(try parser.push(Array("\ndata: a\n\n".utf8)).map(\.data) == ["a"])
  }

  @Test func `A reconnection time that no integer holds is ignored`() throws {
    var parser = ServerSentEventParser()
    _ = try parser.push(Array("retry: 7\nretry: 99999999999999999999999\n".utf8))
    #expect(parser.retryMilliseconds == 7)
  }
}
