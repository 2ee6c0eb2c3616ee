import Storage

/// The cache of the watched state, with unsaved changes, valid as long as nobody else changes the
/// store.
struct WatchedMemory: Sendable {
  /// The version of the store for which the cache is valid.
  var version: RecordVersion?
  /// The open incidents; nil if they are not read yet.
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

  /// Empties shelves that have grown too large.
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
  }
}

/// The cached documents of one type.
struct DocumentShelf<Document: WatchedDocument>: Sendable {
  /// The maximum number of documents that are cached.
  private static var most: Int { 20_000 }

  /// The documents by ID; a stored nil means that the document does not exist.
  private var known: [String: Document?] = [:]
  /// The IDs of documents with unsaved changes.
  private var changed: Set<String> = []

  /// Returns a document; nil if it is not cached.
  subscript(id: String) -> Document?? { known[id] }

  /// Stores a document that was read.
  mutating func hold(_ document: Document?, id: String) { known[id] = .some(document) }

  /// Stores a changed document, which is yet to be saved.
  mutating func change(_ document: Document) {
    known[document.id] = .some(document)
    changed.insert(document.id)
  }

  /// Returns the unsaved documents, and marks them as saved.
  mutating func handOutChanged() -> [Document] {
    defer { changed = [] }
    return changed.compactMap { known[$0] ?? nil }
  }

  /// Empties the cache if it is too large; everything is in the store.
  mutating func trim() {
    if known.count > Self.most { known = [:] }
  }
}
