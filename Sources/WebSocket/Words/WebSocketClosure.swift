/// How a connection ended.
public struct WebSocketClosure: Sendable, Hashable {
  /// Who ended it.
  public enum Origin: Sendable, Hashable {
    /// The peer sent a Close frame.
    case peer
    /// What the peer sent was refused here.
    case here
    /// Nobody: the connection was lost, or the peer did not take its part of the closing handshake.
    case lost
  }

  /// The code: the peer's, 1005 where its frame had none, that of our refusal, or 1006 (RFC 6455
  /// section 7.4).
  public var code: Int
  /// The words with it, or why the connection was lost.
  public var reason: String
  /// Who ended it.
  public var origin: Origin

  /// An end of that kind.
  public init(code: Int, reason: String, origin: Origin) {
    (self.code, self.reason, self.origin) = (code, reason, origin)
  }
}
