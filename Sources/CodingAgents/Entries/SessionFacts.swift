/// Facts about a session.
///
/// A fact that is nil is unknown. A later fact replaces an earlier one, except the folder.
public struct SessionFacts: Codable, Sendable, Hashable {
  /// The origin of a title, the weakest first.
  public enum Naming: Int, Codable, Sendable, Comparable {
    /// The agent's model chose the title.
    case model
    /// A person chose the title.
    case person

    /// Returns `true` if the first origin is weaker than the second.
    public static func < (left: Naming, right: Naming) -> Bool { left.rawValue < right.rawValue }
  }

  /// The working folder.
  public var folder: String?
  /// The working folder to which the session has moved; nil if it has not.
  public var movedTo: String?
  /// The version of the program.
  public var version: String?
  /// The title.
  public var title: String?
  /// The origin of the title.
  public var naming: Naming?
  /// The id of the session that started this one as a subagent.
  public var parent: String?
  /// The id of the tool call that started this subagent.
  public var parentCall: String?
  /// The kind of the subagent, such as `Explore`.
  public var role: String?
  /// The id of the session that this one was forked from.
  public var forkedFrom: String?
  /// `true` if only prompts of the session are known, and its answers are not.
  public var isPromptsOnly: Bool?
  /// `true` if no entry reports some of the calls.
  ///
  /// Claude Code states the sums of all calls when its process ends; Codex does not.
  public var statesTotals: Bool?

  /// Creates facts, all of them unknown.
  public init() {}

  /// Replaces the facts that the given later ones know.
  public mutating func update(_ later: SessionFacts) {
    folder = folder ?? later.folder
    movedTo = later.movedTo ?? movedTo
    version = later.version ?? version
    if let title = later.title, later.naming ?? .model >= naming ?? .model {
      (self.title, naming) = (title, later.naming)
    }
    parent = later.parent ?? parent
    parentCall = later.parentCall ?? parentCall
    role = later.role ?? role
    forkedFrom = later.forkedFrom ?? forkedFrom
    statesTotals = later.statesTotals ?? statesTotals
    isPromptsOnly = later.isPromptsOnly ?? isPromptsOnly
  }
}
