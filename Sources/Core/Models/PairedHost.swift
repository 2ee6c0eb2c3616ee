/// A host that this machine paired with.
public struct PairedHost: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "host"

  /// What it is called here.
  public var name: String
  /// Where it is, without a slash at its end.
  public var url: String
  /// What this machine is known by there; nil where the configuration alone names the host.
  public var deviceId: String?
  /// When this machine last paired with it.
  public var pairedAt: Timestamp?
  /// Whether it takes signatures.
  public var signs: Bool?
  /// The SHA-256 of its public key (SubjectPublicKeyInfo) in base64, which vouches for it; nil where
  /// certificates do.
  public var tlsKey: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, url, deviceId, pairedAt, signs, tlsKey, labels
  }

  /// Creates the record.
  public init(name: String, url: String) { (self.name, self.url) = (name, url) }
}
