/// The device that is connected to a hub, as reported to companions and people.
public struct ConnectedDevice: Codable, Sendable, Hashable {
  /// The device's id, derived from its public key.
  public var id: String
  /// The display name.
  public var name: String
  /// The time at which pairing was completed.
  public var connectedAt: Timestamp
  /// The time of the last request.
  public var lastSeenAt: Timestamp

  /// Creates the description.
  public init(id: String, name: String, connectedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.connectedAt, self.lastSeenAt) = (connectedAt, lastSeenAt)
  }
}
