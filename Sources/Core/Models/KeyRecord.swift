/// A stored secret, of which only the first and last characters are shown.
public struct KeyRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "key"

  /// The name of the provider or service that the secret is for.
  public var name: String
  /// The first and last characters of the secret.
  public var masked: String
  /// The place that the secret was read from.
  public var source: KeySource
  /// The public half of a key pair, in the form of a line of OpenSSH's `authorized_keys`.
  public var publicKey: String?
  /// The SHA-256 of a key pair's public half, in OpenSSH's form.
  public var fingerprint: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, masked, source, publicKey, fingerprint, labels
  }

  /// Creates the record.
  public init(
    name: String, masked: String, source: KeySource, publicKey: String? = nil,
    fingerprint: String? = nil, labels: [String: String]? = nil
  ) {
    (self.name, self.masked, self.source, self.publicKey) = (name, masked, source, publicKey)
    (self.fingerprint, self.labels) = (fingerprint, labels)
  }
}

/// The places that a secret is read from, in the order of lookup.
public enum KeySource: String, Codable, Sendable, CaseIterable {
  case environment, credentials, command, keyring, file
}
