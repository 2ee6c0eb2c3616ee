/// A file that was written.
public struct FileRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "file"

  /// The file's path.
  public var path: String
  /// The result of the write.
  public var status: FileStatus
  /// The size in bytes.
  public var bytes: Int
  /// The SHA-256 of the content, in hexadecimal.
  public var sha256: String
  /// The path of the record's earlier file, which was kept because a person had edited it.
  public var beside: String?
  /// The id of the artifact that the file contains.
  public var artifactId: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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

/// The result of writing a file.
public enum FileStatus: String, Codable, Sendable, CaseIterable {
  case created, updated, unchanged
}
