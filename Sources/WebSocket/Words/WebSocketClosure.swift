/// The end of a connection: its code, reason and origin.
public struct WebSocketClosure: Sendable, Hashable {
  /// The party that ended a connection.
  public enum Origin: Sendable, Hashable {
    /// The peer, by a Close frame.
    case peer
    /// This side, because it refused the peer's input.
    case here
    /// Neither: the connection was lost, or the peer did not complete the closing handshake.
    case lost
  }

  /// The code: the peer's, 1005 if its frame had none, ours for refused input, or 1006 (RFC 6455
  /// section 7.4).
  public var code: Int
  /// The reason in the Close frame, or the cause of the loss.
  public var reason: String
  /// The party that ended the connection.
  public var origin: Origin

  /// Creates a closure.
  public init(code: Int, reason: String, origin: Origin) {
    (self.code, self.reason, self.origin) = (code, reason, origin)
  }
}
