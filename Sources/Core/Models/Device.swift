/// A device that has access to a hub.
public struct Device: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "device"

  /// The id that the hub gave the device.
  public var id: String
  /// The display name.
  public var name: String
  /// The device's permissions; absent in a record that the device itself wrote.
  public var scope: DeviceScope?
  /// The time of registration.
  public var createdAt: Timestamp
  /// The time at which the device last received a token.
  public var lastSeenAt: Timestamp?
  /// `true` if the device was revoked.
  public var revoked: Bool
  /// The time of the last pairing; nil if the device has disconnected or never paired.
  public var connectedAt: Timestamp?
  /// The authentication method of a companion: `address` or `signed`.
  public var auth: String?
  /// The method by which a companion paired: `qr` or `code`; `page` for a browser.
  public var via: String?
  /// The id of the device that signed this browser in; nil if the hub's operator did.
  public var signedInBy: String?
  /// The URL of the hub; only in a record that the device itself wrote.
  public var hub: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, scope, createdAt, lastSeenAt, revoked, connectedAt, auth, via, signedInBy, hub,
      labels
  }

  /// Creates the record of a device that has access.
  public init(id: String, name: String, scope: DeviceScope?, createdAt: Timestamp) {
    self.id = id
    self.name = name
    self.scope = scope
    self.createdAt = createdAt
    revoked = false
  }
}
