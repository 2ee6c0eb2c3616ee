public import Core
import GRDB

/// What the store has ids and names of, for whoever completes what a person began to type.
///
/// The store is read as it is, by who changes nothing of it: none is made or brought up to date, and
/// what cannot be read at once has no names.
public struct StoredNames: Sendable {
  /// What may have a name.
  public enum Kind: String, Sendable, CaseIterable {
    case agent, swarm, skill, incident
    /// An incident that goes on.
    case openIncident
    case chat, project
    /// A host that this machine paired with.
    case host
    /// One of several answers to a prompt.
    case answer
    case gate
    /// A gate that waits for its decision.
    case pendingGate
    case pipeline
    /// A pipeline that was begun and is not done.
    case unfinishedPipeline
  }

  /// The id of something, and what it is in a few words.
  public struct Name: Sendable, Hashable {
    /// How commands name it.
    public var id: String
    /// What a person knows it by; nil where that is the id.
    public var text: String?

    /// Creates a name.
    public init(id: String, text: String? = nil) {
      self.id = id
      self.text = text
    }
  }

  /// Of no kind more are read.
  private static let most = 500
  /// Nor of ids.
  private static let mostIds = 20_000
  /// Who types waits no longer for another process, in seconds.
  private static let patience = 0.5

  private let path: String

  /// Reads the store of some directories; nothing is opened yet.
  public init(_ directories: Directories) { path = Store.path(directories) }

  /// The names of a kind, those that were last heard of first.
  public func names(_ kind: Kind) -> [Name] {
    rows(kind, most: Self.most).map { Name(id: $0.id, text: $0.text) }
  }

  /// The ids of a kind, those that were last heard of first.
  public func ids(_ kind: Kind) -> [String] { rows(kind, most: Self.mostIds).map(\.id) }

  private func rows(_ kind: Kind, most: Int) -> [(id: String, text: String?)] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    // A store that is not there, or of another form, has no names.
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration),
      let rows = try? queue.read({ database in
        try Row.fetchAll(database, sql: "\(Self.query(kind)) LIMIT \(most)")
      })
    else { return [] }
    return rows.compactMap { row in
      guard let id = String.fromDatabaseValue(row[0]) else { return nil }
      return (id, String.fromDatabaseValue(row[1]))
    }
  }

  private static func query(_ kind: Kind) -> String {
    switch kind {
    case .agent:
      // The agent that stands for a swarm's run is shown as the swarm.
      """
      SELECT id, \(member("task")) FROM watched WHERE kind = 'agent'
        AND (parent IS NULL OR parent <> id OR coalesce(\(member("isWorkflow")), 1) = 0)
      ORDER BY updatedAt DESC
      """
    case .swarm: watched("swarm", "name")
    case .skill: watched("skill", "name")
    case .incident: watched("incident", "summary")
    case .openIncident: watched("incident", "summary", "AND parent = 'open'")
    case .gate:
      "SELECT id, \(member("summary")) FROM gate ORDER BY id DESC"
    case .pendingGate:
      """
      SELECT id, \(member("summary")) FROM gate WHERE status = 'pending'
      ORDER BY id DESC
      """
    // What they are about is sealed.
    case .chat: "SELECT id, NULL FROM chat ORDER BY updatedAt DESC"
    case .answer:
      "SELECT id, NULL FROM turn WHERE groupId IS NOT NULL ORDER BY createdAt DESC, id DESC"
    case .project: "SELECT id, NULL FROM project ORDER BY updatedAt DESC"
    case .host: "SELECT name, \(member("url")) FROM pairedHost ORDER BY name"
    case .pipeline: pipelines("")
    case .unfinishedPipeline:
      pipelines("WHERE isBegun = 1 AND status NOT IN ('completed', 'cancelled')")
    }
  }

  private static func member(_ name: String) -> String { Dialect.sqlite.member(name) }

  private static func watched(_ kind: String, _ text: String, _ condition: String = "") -> String {
    """
    SELECT id, \(member(text)) FROM watched
    WHERE kind = '\(kind)' \(condition) ORDER BY updatedAt DESC
    """
  }

  private static func pipelines(_ condition: String) -> String {
    "SELECT id, \(member("goal")) FROM pipeline \(condition) ORDER BY id DESC"
  }
}
