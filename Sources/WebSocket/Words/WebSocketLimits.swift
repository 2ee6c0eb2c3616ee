/// What is taken of a peer, and how long it is waited for.
public struct WebSocketLimits: Sendable {
  /// How many bytes a message may have, all of its fragments together; more is answered with 1009.
  public var messageBytes = 1 << 20
  /// How long a peer may take for its part of the closing handshake; then it is cut.
  public var closingMilliseconds: Int64 = 5_000
  /// How long the first request of a connection may take to come; then it is cut.
  public var requestMilliseconds: Int64 = 30_000
  /// How many bytes may wait for the peer before the connection counts as not writable.
  public var waitingBytesHigh = 64 << 10
  /// How few must be left of them until it is writable again.
  public var waitingBytesLow = 32 << 10

  /// What is taken unless told otherwise: messages of 1 MiB.
  public init() {}
}
