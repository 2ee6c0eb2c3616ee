/// A message that a session receives.
public enum WebSocketMessage: Sendable, Hashable {
  /// A text message in valid UTF-8.
  case text([UInt8])
  /// A binary message.
  case binary([UInt8])
  /// A pong, with the payload of the ping that it answers.
  case pong([UInt8])
  /// The end of the connection.
  ///
  /// No message is received after it.
  case closed(WebSocketClosure)

  /// The approximate number of bytes that a queued message occupies, including overhead.
  var heldBytes: Int {
    switch self {
    case .text(let bytes), .binary(let bytes), .pong(let bytes): bytes.count + 64
    case .closed: 64
    }
  }
}
