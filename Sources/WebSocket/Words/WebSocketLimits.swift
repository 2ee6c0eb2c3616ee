/// The limits for a peer's messages and response times.
public struct WebSocketLimits: Sendable {
  /// The largest size of a message in bytes, over all fragments; a larger one is refused with 1009.
  public var messageBytes = 1 << 20
  /// The time for a peer's part of the closing handshake; then it is cut.
  public var closingMilliseconds: Int64 = 5_000
  /// The time for the first request of a connection to arrive; then it is cut.
  public var requestMilliseconds: Int64 = 30_000
  /// The number of bytes waiting for the peer above which the connection is not writable.
  public var waitingBytesHigh = 64 << 10
  /// The number of waiting bytes below which the connection is writable again.
  public var waitingBytesLow = 32 << 10

  /// Creates the default limits, with messages of up to 1 MiB.
  public init() {}
}
