public import Core
import GRDB

/// The ids and names in the store, which complete a word on the command line.
///
/// The store is opened read-only, and is neither created nor migrated. If it cannot be read at
/// once, no names are returned.
public struct StoredNames: Sendable {
  /// The kinds of object whose names can be completed.
  public enum Kind: String, Sendable, CaseIterable {
    case agent, swarm, skill, incident
    /// Incidents that are open.
    case openIncident
    case chat, project
    /// Hosts that were paired with this machine.
    case host
    /// Answers to a prompt that has several answers.
    case answer
    case gate
    /// Gates that are not decided yet.
    case pendingGate
    case pipeline
    /// Pipelines that have not finished.
    case unfinishedPipeline
  }

  /// An object's id, with a short description of the object.
  public struct Name: Sendable, Hashable {
    /// The id that commands accept.
    public var id: String
    /// The description for people; nil if it equals the id.
    public var text: String?

    /// Creates a name.
    public init(id: String, text: String? = nil) {
      self.id = id
      self.text = text
    }
  }

  /// The maximum number of names to read for one kind.
  private static let most = 500
  /// The maximum number of ids to read for one kind.
  private static let mostIds = 20_000
  /// The longest time in seconds to wait for another process.
  ///
  /// A person who types hardly notices it.
  private static let patience = 0.5

  private let path: String

  /// Creates the value for the store in the given directories, without opening the store.
  public init(_ directories: Directories) { path = Store.path(directories) }

  /// Returns the names of objects of the given kind, from newest to oldest.
  public func names(_ kind: Kind) -> [Name] {
    rows(kind, most: Self.most).map { Name(id: $0.id, text: $0.text) }
  }

  /// Returns the ids of objects of the given kind, from newest to oldest.
  public func ids(_ kind: Kind) -> [String] { rows(kind, most: Self.mostIds).map(\.id) }

  private func rows(_ kind: Kind, most: Int) -> [(id: String, text: String?)] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    // A store that is missing or has other tables yields no names.
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
      // The agent that represents the run of a swarm is listed as the swarm.
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
    // Titles are encrypted.
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
