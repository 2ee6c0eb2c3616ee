import Core
import HTTP
import Testing

struct EventStreamTests {
  @Test func `an accepted stream gives its events, whole`() throws {
    var stream = EventStream()
    #expect(!stream.isAccepted && stream.refusal == nil)
    #expect(try stream.read(.head(HTTPHead(status: 200))).isEmpty)
    #expect(try stream.read(.body(Array("data: a\n\ndata: b".utf8))).map(\.data) == ["a"])
    #expect(try stream.read(.body(Array("\n\n".utf8))).map(\.data) == ["b"])
    #expect(stream.isAccepted && stream.refusal == nil)
  }

  @Test func `a refusal keeps its status and the beginning of its body`() throws {
    var stream = EventStream(accepted: 200...200)
    _ = try stream.read(.head(HTTPHead(status: 204)))
    for _ in 0..<3 {
      let events = try stream.read(.body([UInt8](repeating: 0x0A, count: 40_000)))
      #expect(events.isEmpty)
    }
    #expect(stream.refusal?.head.status == 204)
    #expect(stream.refusal?.body.count == 1 << 16)
  }

  @Test func `an event that is too large ends the reading`() throws {
    var stream = EventStream(parser: ServerSentEventParser(maximumEventBytes: 16))
    _ = try stream.read(.head(HTTPHead(status: 200)))
    #expect(throws: Failure.self) {
      _ = try stream.read(.body(Array("data: 0123456789abcdef0123456789\n\n".utf8)))
    }
  }
}
