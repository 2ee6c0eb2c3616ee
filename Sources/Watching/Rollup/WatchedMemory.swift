import Storage

/// The cache of the watched state, with changes that are not saved yet.
struct WatchedMemory: Sendable {
  /// The version of the store for which the cache is valid; nil if it is not valid.
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

  /// Empties those document caches that are too large.
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

/// The cache for documents of one type.
struct DocumentShelf<Document: WatchedDocument>: Sendable {
  /// The maximum number of documents that are cached.
  private static var most: Int { 20_000 }

  /// The documents by ID; nil for a document that does not exist in the store.
  private var known: [String: Document?] = [:]
  /// The IDs of the documents with unsaved changes.
  private var changed: Set<String> = []

  /// Returns the document with the given ID; nil if it is not cached.
  subscript(id: String) -> Document?? { known[id] }

  /// Caches a document that was read; nil if the store does not contain it.
  mutating func hold(_ document: Document?, id: String) { known[id] = .some(document) }

  /// Caches the given changed document, which must be saved later.
  mutating func change(_ document: Document) {
    known[document.id] = .some(document)
    changed.insert(document.id)
  }

  /// Returns the documents with unsaved changes, and marks them as saved.
  mutating func handOutChanged() -> [Document] {
    defer { changed = [] }
    return changed.compactMap { known[$0] ?? nil }
  }

  /// Empties the cache if it is too large; the store contains all documents.
  mutating func trim() {
    if known.count > Self.most { known = [:] }
  }
}
