/// A code that a device registers with, once.
public struct Pairing: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "pairing"

  /// What is entered on the device.
  public var code: String
  /// When it is good for nothing any more.
  public var expiresAt: Timestamp
  /// What the device may do.
  public var scope: DeviceScope
  /// What the device is called, whatever it calls itself.
  public var name: String?
  /// What the QR code says that goes with the code: it pairs whoever has it.
  public var qrPayload: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case code, expiresAt, scope, name, qrPayload, labels
  }

  /// Creates the record.
  public init(code: String, expiresAt: Timestamp, scope: DeviceScope, name: String? = nil) {
    (self.code, self.expiresAt, self.scope, self.name) = (code, expiresAt, scope, name)
  }
}
