/// What is taken of a peer: more ends the connection.
public struct WebSocketLimits: Sendable {
  /// How many bytes a message may have, all of its fragments together; more is answered with 1009.
  public var messageBytes = 1 << 20

  /// What is taken unless told otherwise: messages of 1 MiB.
  public init() {}
}
