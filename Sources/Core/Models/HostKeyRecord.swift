/// An SSH host's key and its status in the known hosts.
public struct HostKeyRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "hostKey"

  /// The name that the host's keys are recorded under: `host`, or `[host]:port`.
  public var host: String
  /// The key's type, such as `ssh-ed25519`.
  public var algorithm: String
  /// The SHA-256 of the key, as OpenSSH writes it.
  public var fingerprint: String
  /// The status in the known hosts.
  public var status: HostKeyStatus
  /// The file in which the key is recorded.
  public var file: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case host, algorithm, fingerprint, status, file, labels
  }

  /// Creates the record.
  public init(
    host: String, algorithm: String, fingerprint: String, status: HostKeyStatus,
    file: String? = nil
  ) {
    (self.host, self.algorithm, self.fingerprint) = (host, algorithm, fingerprint)
    (self.status, self.file) = (status, file)
  }
}

/// The status of a host's key.
public enum HostKeyStatus: String, Codable, Sendable, CaseIterable {
  /// A key recorded earlier.
  case known
  /// A key recorded now for a host that had none.
  case added
  /// A key recorded now in place of another.
  case replaced
}
