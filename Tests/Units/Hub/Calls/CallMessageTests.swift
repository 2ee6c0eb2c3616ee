import Core
import TestSupport
import Testing

@testable import Hub

/// The framing of messages in gRPC calls.
struct CallMessageTests {
  private func read(_ pieces: [[UInt8]], upTo most: Int = 100) throws -> CallMessage {
    var reader = CallMessageReader(upTo: most)
    for piece in pieces { try reader.append(piece) }
    return try reader.message()
  }

  @Test func `a message comes back however it is cut`() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let message = CallMessage(isCompressed: random.chance(2), bytes: bytes)
      var rest = try #require(message.framed)[...]
      var pieces: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 0...rest.count, using: &random)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(try read(pieces) == message)
    }
  }

  @Test func `a prefix has a flag and the length`() {
    let message = CallMessage(isCompressed: true, bytes: [UInt8](repeating: 7, count: 258))
    #expect(message.framed?.prefix(6) == [1, 0, 0, 1, 2, 7])
  }

  @Test(arguments: [
    ([[UInt8]](), "the call has no message"), ([[]], "the call has no message"),
    ([[0, 0, 0]], "the message ends early"), ([[0, 0, 0, 0, 2, 9]], "the message ends early"),
    ([[2]], "the message has the unknown flag 2"),
    ([[0, 0, 0, 0, 1, 9, 9]], "the call has more than one message"),
    ([[0, 0, 0, 0, 0], [0]], "the call has more than one message"),
  ])
  func `other bytes are refused`(_ pieces: [[UInt8]], _ reason: String) {
    let failure = #expect(throws: Failure.self) { try read(pieces) }
    #expect(failure?.explanation == reason)
    #expect(failure?.code == .badInput)
  }

  @Test func `a message that is too long is refused by its prefix`() {
    let failure = #expect(throws: Failure.self) { try read([[0, 0, 0, 0, 101]]) }
    #expect(failure?.status == 413)
    #expect(failure?.kind == .tooLarge)
    let longest = #expect(throws: Failure.self) { try read([[1, 255, 255, 255, 255]]) }
    #expect(longest?.status == 413)
  }
}

/// The outcomes of gRPC calls.
struct CallStatusTests {
  private func trailers(_ failure: Failure) -> [String: String] {
    Dictionary(CallStatus(failure).trailers.map { ($0.name, $0.value) }) { $1 }
  }

  @Test(arguments: [
    (Failure(.badInput, "no"), "3"), (Failure(.authExpired, "no"), "16"),
    (Failure(.permissionDenied, "no"), "7"), (Failure(.notFound, "no", status: 501), "12"),
    (Failure(.storageFailed, "no"), "14"), (Failure(.timeout, "no", status: 408), "4"),
    (Failure(.badInput, "no", kind: .tooLarge, status: 413), "8"),
    (Failure(.serverError, "no"), "13"),
  ])
  func `a failure has the code of its HTTP status`(_ failure: Failure, _ code: String) {
    #expect(trailers(failure)["grpc-status"] == code)
    #expect(trailers(failure)["grpc-message"] == "no")
  }

  @Test func `a message is percent-encoded`() {
    #expect(CallStatus.encoded("100% of 'é'\n") == "100%25 of '%C3%A9'%0A")
  }

  @Test func `a busy hub says when to come back`() {
    let busy = trailers(Failure(.overloaded, "busy", retryAfterSeconds: 1))
    #expect(busy["grpc-status"] == "14")
    // Status{14, "busy", [Any{"type.googleapis.com/google.rpc.RetryInfo", RetryInfo{Duration{1}}}]}
    #expect(
      busy["grpc-status-details-bin"]
        == "CA4SBGJ1c3kaMAoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5mbxIECgIIAQ")
    let large = trailers(Failure(.badInput, "large", kind: .tooLarge, status: 413))
    #expect(large["grpc-status-details-bin"] == nil)
  }

  @Test func `success has a status and nothing else`() {
    #expect(CallStatus.ok.trailers.map(\.name) == ["grpc-status"])
  }
}
