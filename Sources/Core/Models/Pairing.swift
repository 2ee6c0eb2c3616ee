/// A pairing code, which registers one device.
public struct Pairing: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "pairing"

  /// The code to enter on the device.
  public var code: String
  /// The time at which the code expires.
  public var expiresAt: Timestamp
  /// The permissions that the device receives.
  public var scope: DeviceScope
  /// The display name given to the device.
  ///
  /// It replaces the name that the device reports.
  public var name: String?
  /// The content of a QR code for the same pairing.
  ///
  /// Anyone who has it can pair.
  public var qrPayload: String?
  /// The link that signs a browser in.
  ///
  /// Anyone who opens it first can sign in.
  public var url: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case code, expiresAt, scope, name, qrPayload, url, labels
  }

  /// Creates the record.
  public init(code: String, expiresAt: Timestamp, scope: DeviceScope, name: String? = nil) {
    (self.code, self.expiresAt, self.scope, self.name) = (code, expiresAt, scope, name)
  }
}
