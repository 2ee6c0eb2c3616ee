/// A host that this machine paired with.
public struct PairedHost: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "host"

  /// The host's local name.
  public var name: String
  /// The host's URL, without a trailing slash.
  public var url: String
  /// The device id that the host gave this machine; nil if only the configuration names the host.
  public var deviceId: String?
  /// The time of the last pairing.
  public var pairedAt: Timestamp?
  /// `true` if the host accepts signed requests.
  public var signs: Bool?
  /// The SHA-256, in base64, of the public key that authenticates the host (SubjectPublicKeyInfo).
  ///
  /// It is nil if a certificate authenticates the host.
  public var tlsKey: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, url, deviceId, pairedAt, signs, tlsKey, labels
  }

  /// Creates the record.
  public init(name: String, url: String) { (self.name, self.url) = (name, url) }
}
