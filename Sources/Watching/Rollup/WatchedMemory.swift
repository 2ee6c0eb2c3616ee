import Storage

/// What was read of what is known, or changed, for as long as nobody else changes it.
struct WatchedMemory: Sendable {
  /// How the store stood when this was right.
  var version: RecordVersion?
  /// The incidents that go on; nil where they were not read yet.
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

  /// Lets go of what has become too much.
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

/// The documents of one type that are in memory.
struct DocumentShelf<Document: WatchedDocument>: Sendable {
  /// More are not held on to.
  private static var most: Int { 20_000 }

  /// What is known by id: nil where it is known that there is none.
  private var known: [String: Document?] = [:]
  /// Those that the store has not got yet.
  private var changed: Set<String> = []

  /// A document; nil for one that was not looked for.
  subscript(id: String) -> Document?? { known[id] }

  /// Puts what was read where it is found.
  mutating func hold(_ document: Document?, id: String) { known[id] = .some(document) }

  /// Puts what the store is to get where it is found.
  mutating func change(_ document: Document) {
    known[document.id] = .some(document)
    changed.insert(document.id)
  }

  /// Hands out what the store is to get.
  mutating func handOutChanged() -> [Document] {
    defer { changed = [] }
    return changed.compactMap { known[$0] ?? nil }
  }

  /// Lets go of all where it has become too much; the store has it.
  mutating func trim() {
    if known.count > Self.most { known = [:] }
  }
}
