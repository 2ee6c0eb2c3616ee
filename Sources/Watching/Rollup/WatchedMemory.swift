import Storage

/// The cache of the watched state.
///
/// It also holds changes that are not saved yet.
struct WatchedMemory: Sendable {
  /// The version of the store for which the cache is valid; nil if it is valid for none.
  var version: RecordVersion?
  /// The open incidents; nil if they were not read yet.
  var openIncidents: OpenIncidents?

  var agents = DocumentShelf<WatchedAgent>()
  var swarms = DocumentShelf<WatchedSwarm>()
  var sessions = DocumentShelf<WatchedSession>()
  var skills = DocumentShelf<WatchedSkill>()
  var calls = DocumentShelf<WatchedCall>()
  var gates = DocumentShelf<WatchedGate>()
  var incidents = DocumentShelf<WatchedIncident>()
  var alerts = DocumentShelf<WatchedAlert>()
  var usages = DocumentShelf<WatchedUsage>()
  var spendings = DocumentShelf<WatchedSpending>()

  /// Empties the caches of document types with too many documents.
  mutating func trim() {
    agents.trim()
    swarms.trim()
    sessions.trim()
    skills.trim()
    calls.trim()
    gates.trim()
    incidents.trim()
    alerts.trim()
    usages.trim()
    spendings.trim()
  }
}

/// The cache for documents of one type.
struct DocumentShelf<Document: WatchedDocument>: Sendable {
  /// The maximum number of documents that are cached.
  private static var most: Int { 20_000 }

  /// The documents by ID.
  ///
  /// The value is nil if the store has no such document.
  private var known: [String: Document?] = [:]
  /// The IDs of the documents with unsaved changes.
  private var changed: Set<String> = []

  /// Returns the cached document with the given ID; nil if nothing is cached.
  ///
  /// The inner value is nil if the store has no such document.
  subscript(id: String) -> Document?? { known[id] }

  /// Caches the given document after it was read; nil if the store has none with the given ID.
  mutating func hold(_ document: Document?, id: String) { known[id] = .some(document) }

  /// Caches the given document after it was changed.
  ///
  /// It must be saved later.
  mutating func change(_ document: Document) {
    known[document.id] = .some(document)
    changed.insert(document.id)
  }

  /// Returns the documents with unsaved changes; from now on, they count as saved.
  mutating func drainChanged() -> [Document] {
    defer { changed = [] }
    return changed.compactMap { known[$0] ?? nil }
  }

  /// Empties the cache if it has too many documents.
  ///
  /// The store contains all of them.
  mutating func trim() {
    if known.count > Self.most { known = [:] }
  }
}
