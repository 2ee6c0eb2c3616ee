/// The end of a connection: its code, its reason, and the party that caused it.
public struct WebSocketClosure: Sendable, Hashable {
  /// The party that ended a connection.
  public enum Origin: Sendable, Hashable {
    /// The peer sent a Close frame.
    case peer
    /// This side refused the peer's input.
    case here
    /// The connection was lost, or the closing handshake was not completed in time.
    case lost
  }

  /// The code (RFC 6455 section 7.4).
  ///
  /// If the peer closed the connection, it is the code of the peer's Close frame, or 1005 if the
  /// frame had none. If this side refused input, it is the code of this side's Close frame. If the
  /// connection was lost, it is 1006.
  public var code: Int
  /// The reason in the Close frame; after a loss, the cause.
  public var reason: String
  /// The party that ended the connection.
  public var origin: Origin

  /// Creates a closure with the given properties.
  public init(code: Int, reason: String, origin: Origin) {
    (self.code, self.reason, self.origin) = (code, reason, origin)
  }
}
