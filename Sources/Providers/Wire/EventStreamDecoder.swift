import Core
import HTTP

/// A decoder of the event stream of one API.
protocol AnswerStream: Sendable {
  /// `true` if the answer is complete, so that later failures do not matter.
  var isWhole: Bool { get }
  /// `true` if the answer has its end mark, after which no counts follow.
  var hasEndMark: Bool { get }
  mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent]
  mutating func finish() throws(Failure) -> [ModelEvent]
}

/// A decoder that turns the bytes of a response into model events.
///
/// It delivers each event before it decodes the next.
struct EventStreamDecoder<Stream: AnswerStream> {
  private(set) var stream: Stream
  private var parser = ServerSentEventParser()

  init(_ stream: Stream) {
    self.stream = stream
  }

  /// Decodes the given bytes, and delivers the events.
  mutating func read(
    _ bytes: [UInt8], _ receive: (ModelEvent) throws(Failure) -> Void
  ) throws(Failure) {
    for event in try parser.push(bytes) {
      for piece in try stream.push(event) { try receive(piece) }
    }
  }

  /// Reads the last event if the blank line after it is missing.
  mutating func readLast(_ receive: (ModelEvent) throws(Failure) -> Void) throws(Failure) {
    // Some servers omit the blank line after the last event, which other clients accept. A partial
    // event is ignored.
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
