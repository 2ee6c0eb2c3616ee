/// An agent program whose sessions are reported as agents, and what is known of its files.
public struct Adoption: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "adoption"

  /// The program: `claude`, `codex`, `opencode` or `gemini`.
  public var agent: String
  /// The folders and databases in which the program keeps its sessions.
  public var places: [String]
  /// The number of files of sessions in these places; a database counts as one.
  public var files: Int
  /// The number of sessions that were read.
  public var sessions: Int
  /// The number of sessions whose process has not ended.
  public var active: Int
  /// The number of active sessions whose process is known for certain.
  public var certain: Int
  /// The versions of the program that the parser was tried with.
  public var tried: [String]
  /// The versions of the program that wrote the sessions.
  public var versions: [String]
  /// The number of entries of each kind that the parser does not know.
  public var unknownEntries: [String: Int]
  /// The number of lines that could not be read.
  public var unreadable: Int
  /// `true` if a process follows the sessions.
  public var followed: Bool
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case agent, places, files, sessions, active, certain, tried, versions, unknownEntries,
      unreadable,
      followed, labels
  }

  /// Creates the record of a program of which nothing was read.
  public init(agent: String, places: [String], tried: [String], followed: Bool) {
    (self.agent, self.places, self.tried, self.followed) = (agent, places, tried, followed)
    (files, sessions, active, certain, unreadable) = (0, 0, 0, 0, 0)
    (versions, unknownEntries) = ([], [:])
  }
}
