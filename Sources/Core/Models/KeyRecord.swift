/// A stored secret, shown without its middle.
public struct KeyRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "key"

  /// The provider or service it is for.
  public var name: String
  /// Its first and last characters.
  public var masked: String
  /// Where it was found.
  public var source: KeySource
  /// Of a key pair: the public half, as a line of OpenSSH's authorized_keys.
  public var publicKey: String?
  /// Of a key pair: SHA-256 of the public half, as OpenSSH writes it.
  public var fingerprint: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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

/// Where a secret was found, in the order in which they are asked.
public enum KeySource: String, Codable, Sendable, CaseIterable {
  case environment, credentials, command, keyring, file
}
