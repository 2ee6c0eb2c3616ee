/// The key that an SSH host showed, and what is known of it.
public struct HostKeyRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "hostKey"

  /// The name that the host's keys are recorded under: `host`, or `[host]:port`.
  public var host: String
  /// The key's type, such as `ssh-ed25519`.
  public var algorithm: String
  /// SHA-256 of the key, as OpenSSH writes it.
  public var fingerprint: String
  /// What is known of it.
  public var status: HostKeyStatus
  /// The file that it is recorded in.
  public var file: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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

/// What is known of a host's key.
public enum HostKeyStatus: String, Codable, Sendable, CaseIterable {
  /// It was recorded before.
  case known
  /// It is recorded from now on, where none was.
  case added
  /// It is recorded from now on, in place of another.
  case replaced
}
