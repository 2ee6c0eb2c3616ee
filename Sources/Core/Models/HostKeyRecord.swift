/// The key of an SSH host, and its status in the known hosts.
public struct HostKeyRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "hostKey"

  /// The name that the host's keys are recorded under: `host`, or `[host]:port`.
  public var host: String
  /// The key's type, such as `ssh-ed25519`.
  public var algorithm: String
  /// The SHA-256 of the key, in OpenSSH's form.
  public var fingerprint: String
  /// The key's status in the known hosts.
  public var status: HostKeyStatus
  /// The path of the file in which the key is recorded.
  public var file: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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

/// The status of a host's key in the known hosts.
public enum HostKeyStatus: String, Codable, Sendable, CaseIterable {
  /// The key was already recorded.
  case known
  /// The key was recorded now. The host had no recorded key.
  case added
  /// The key was recorded now, in place of another key.
  case replaced
}
