/// A file that was written.
public struct FileRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "file"

  /// Where it is.
  public var path: String
  /// What was done.
  public var status: FileStatus
  /// Its size.
  public var bytes: Int
  /// The SHA-256 of its bytes, in hexadecimal.
  public var sha256: String
  /// The file of the same record that a person has changed, which was left as it is.
  public var beside: String?
  /// The artifact it holds.
  public var artifactId: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case path, status, bytes, sha256, beside, artifactId, labels
  }

  /// Creates the record.
  public init(
    path: String, status: FileStatus, bytes: Int, sha256: String, beside: String? = nil,
    artifactId: String? = nil, labels: [String: String]? = nil
  ) {
    (self.path, self.status, self.bytes, self.sha256) = (path, status, bytes, sha256)
    (self.beside, self.artifactId, self.labels) = (beside, artifactId, labels)
  }
}

/// What writing a file came to.
public enum FileStatus: String, Codable, Sendable, CaseIterable {
  case created, updated, unchanged
}
