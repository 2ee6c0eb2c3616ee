/// The limits for a peer: the size of messages and the time to respond.
public struct WebSocketLimits: Sendable {
  /// The maximum size of a message in bytes.
  ///
  /// A larger message ends the connection with code 1009.
  public var messageBytes = 1 << 20
  /// The time within which the peer must complete the closing handshake, in milliseconds.
  public var closingMilliseconds: Int64 = 5_000
  /// The time within which the first request of a connection must arrive, in milliseconds.
  public var requestMilliseconds: Int64 = 30_000
  /// The number of bytes waiting to be sent from which a connection is not writable.
  public var waitingBytesHigh = 64 << 10
  /// The number of bytes waiting to be sent below which a connection is writable again.
  public var waitingBytesLow = 32 << 10

  /// Creates the default limits, with messages of up to 1 MiB.
  public init() {}
}
