/// A host that this machine paired with.
public struct PairedHost: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "host"

  /// The host's local name.
  public var name: String
  /// The host's URL, without a trailing slash.
  public var url: String
  /// This machine's device id at the host; nil if only the configuration names the host.
  public var deviceId: String?
  /// The time of the last pairing.
  public var pairedAt: Timestamp?
  /// `true` if the host accepts signatures.
  public var signs: Bool?
  /// The SHA-256 of the public key (SubjectPublicKeyInfo) that authenticates the host, in base64;
  /// nil if a certificate authenticates it.
  public var tlsKey: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, url, deviceId, pairedAt, signs, tlsKey, labels
  }

  /// Creates the record.
  public init(name: String, url: String) { (self.name, self.url) = (name, url) }
}
