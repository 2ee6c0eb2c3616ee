/// A message that a session receives.
public enum WebSocketMessage: Sendable, Hashable {
  /// A text, as valid UTF-8.
  case text([UInt8])
  /// A binary message.
  case binary([UInt8])
  /// A pong, with the payload of its ping.
  case pong([UInt8])
  /// The end, after which nothing is received.
  case closed(WebSocketClosure)

  /// The approximate memory of a queued message, including overhead.
  var heldBytes: Int {
    switch self {
    case .text(let bytes), .binary(let bytes), .pong(let bytes): bytes.count + 64
    case .closed: 64
    }
  }
}
