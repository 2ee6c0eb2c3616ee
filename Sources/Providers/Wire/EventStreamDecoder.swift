import Core
import HTTP

/// A decoder of one provider's event stream.
protocol AnswerStream: Sendable {
  /// `true` if the answer has its end mark, so that later failures do not matter.
  var isWhole: Bool { get }
  mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent]
  mutating func finish() throws(Failure) -> [ModelEvent]
}

/// A decoder of the bytes of an answer into pieces, each delivered before the next is decoded.
struct EventStreamDecoder<Stream: AnswerStream> {
  private(set) var stream: Stream
  private var parser = ServerSentEventParser()

  init(_ stream: Stream) {
    self.stream = stream
  }

  /// Reads the next bytes.
  mutating func read(
    _ bytes: [UInt8], _ receive: (ModelEvent) throws(Failure) -> Void
  ) throws(Failure) {
    for event in try parser.push(bytes) {
      for piece in try stream.push(event) { try receive(piece) }
    }
  }

  /// Reads the last event of a body that ended, or was cut, before its final blank line.
  mutating func readLast(_ receive: (ModelEvent) throws(Failure) -> Void) throws(Failure) {
    // Some servers omit the blank line after the last event, and other clients accept that. A
    // partial event is ignored.
    if !stream.isWhole, let events = try? parser.push("\n\n".utf8) {
      for event in events where event.data == "[DONE]" || JSONObject(event.data) != nil {
        for piece in try stream.push(event) { try receive(piece) }
      }
    }
  }

  /// Reads the end of the body.
  mutating func finish(_ receive: (ModelEvent) throws(Failure) -> Void) throws(Failure) {
    try readLast(receive)
    for piece in try stream.finish() { try receive(piece) }
  }
}
