import Core
import HTTP
import TestSupport
import Testing

@testable import Hub
@testable import OTLP

/// A collector's answers, and what they mean for the events that it was sent.
struct CollectorTests {
  @Test(arguments: [
    ("HTTP/1.1 200 OK\nContent-Length: 9\nContent-Ty", "later"),
    ("HTTP/1.1 200 OK\nContent-Length: 9\n\n{}", "later"), ("", "later"),
    ("HTTP/1.1 503 Service Unavailable\nContent-Length: 0\n\n", "later"),
    ("HTTP/1.1 400 Bad Request\nContent-Length: 0\n\n", "refused"),
    ("HTTP/1.1 200 OK\nContent-Length: 2\n\n{}", "taken"),
  ])
  func `an answer that was cut is no refusal`(reply: String, expected: String) async throws {
    let server = try LoopbackServer { _ in Reply(reply) }
    let collector = try Collector(server.url("")) { _ in nil }
    let body = OTLPWriter.Body(signal: .logs, bytes: Array("{}".utf8), count: 1)
    let outcome =
      switch await collector.send(body, by: HTTPClient()) {
      case .accepted: "taken"
      case .refused: "refused"
      case .later: "later"
      }
    #expect(outcome == expected)
  }
}
