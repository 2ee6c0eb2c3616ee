/// The device that is connected, as companions and people are told of it.
public struct ConnectedDevice: Codable, Sendable, Hashable {
  /// Its id, from its key.
  public var id: String
  /// What it is called.
  public var name: String
  /// When it completed pairing.
  public var connectedAt: Timestamp
  /// When it last asked for something.
  public var lastSeenAt: Timestamp

  /// Creates the description.
  public init(id: String, name: String, connectedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.connectedAt, self.lastSeenAt) = (connectedAt, lastSeenAt)
  }
}
