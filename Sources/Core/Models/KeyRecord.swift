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
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, masked, source, labels
  }

  /// Creates the record.
  public init(
    name: String, masked: String, source: KeySource, labels: [String: String]? = nil
  ) {
    self.name = name
    self.masked = masked
    self.source = source
    self.labels = labels
  }
}

/// Where a secret was found, in the order in which they are asked.
public enum KeySource: String, Codable, Sendable, CaseIterable {
  case environment, credentials, command, keyring, file
}
