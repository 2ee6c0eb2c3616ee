/// A device that a hub lets in.
public struct Device: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "device"

  /// Its id at its hub.
  public var id: String
  /// What people call it.
  public var name: String
  /// What it may do there; a device that tells of itself does not know it.
  public var scope: DeviceScope?
  /// When it was registered.
  public var createdAt: Timestamp
  /// When it last got a token.
  public var lastSeenAt: Timestamp?
  /// Whether it is not let in any more.
  public var revoked: Bool
  /// When it last paired; nil once it disconnected, and for who did not pair.
  public var connectedAt: Timestamp?
  /// How a companion shows who it is: `address` or `signed`.
  public var auth: String?
  /// How a companion paired: `qr` or `code`.
  public var via: String?
  /// The URL of its hub, where the device tells of itself.
  public var hub: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, scope, createdAt, lastSeenAt, revoked, connectedAt, auth, via, hub, labels
  }

  /// Creates the record of a device that is let in.
  public init(id: String, name: String, scope: DeviceScope?, createdAt: Timestamp) {
    self.id = id
    self.name = name
    self.scope = scope
    self.createdAt = createdAt
    revoked = false
  }
}
