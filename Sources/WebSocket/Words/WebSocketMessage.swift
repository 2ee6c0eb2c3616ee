/// What a session receives.
public enum WebSocketMessage: Sendable, Hashable {
  /// A text, as UTF-8 for certain.
  case text([UInt8])
  /// A message that is not text.
  case binary([UInt8])
  /// The answer to a ping, with what that carried.
  case pong([UInt8])
  /// The end: nothing else is received after it.
  case closed(WebSocketClosure)

  /// About the memory that it holds while it waits, its own storage included.
  var heldBytes: Int {
    switch self {
    case .text(let bytes), .binary(let bytes), .pong(let bytes): bytes.count + 64
    case .closed: 64
    }
  }
}
