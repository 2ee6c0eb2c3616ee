/// A transcript file, and the facts that its place states.
public struct TranscriptFile: Codable, Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// The session that the file's name states; the file's lines have precedence.
  public var session: SessionKey
  /// The id of the session that started this one as a subagent; nil for none.
  public var parent: String?
  /// The working folder, if the file does not state it.
  public var folder: String?
  /// The title, if the file does not state it.
  public var title: String?

  /// Creates the description of a file.
  public init(
    _ path: String, _ session: SessionKey, parent: String? = nil, folder: String? = nil,
    title: String? = nil
  ) {
    (self.path, self.session, self.parent) = (path, session, parent)
    (self.folder, self.title) = (folder, title)
  }
}

/// A place from which sessions are read together.
public enum SessionSource: Sendable, Hashable {
  /// Files of one session and its subagents.
  case transcripts([TranscriptFile])
  /// A database of OpenCode.
  case database(String)
  /// The folder of files that OpenCode wrote before version 1.2.
  case storage(String)
}
