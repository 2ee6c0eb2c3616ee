import Core
import Foundation
import Storage

/// The watched state, inside one transaction.
final class WatchedState {
  /// The tables that store the state.
  let tables: WatchedTables
  private(set) var memory: WatchedMemory
  private let decoder = JSONDecoder()

  /// Opens the state in the given tables, and takes over the given cache if it is still valid.
  ///
  /// The cache is returned after the transaction. If the transaction fails, the cache is discarded.
  init(_ tables: WatchedTables, taking memory: inout WatchedMemory) throws(Failure) {
    self.tables = tables
    self.memory = WatchedMemory()
    swap(&self.memory, &memory)
    let version = try tables.rows.version()
    if version == nil || self.memory.version != version { self.memory = WatchedMemory() }
    self.memory.version = version
    self.memory.trim()
  }

  /// Returns the document of the given type and ID; nil if there is none.
  func document<Document: WatchedDocument>(
    _ type: Document.Type, _ id: String
  ) throws(Failure) -> Document? {
    if let known = memory[keyPath: Document.shelf][id] { return known }
    let document = try tables.text(Document.kind, id).flatMap {
      Document(text: $0, decoder: decoder)
    }
    memory[keyPath: Document.shelf].hold(document, id: id)
    return document
  }

  /// Returns the selected documents of the given type, sorted by ID.
  func documents<Document: WatchedDocument>(
    _ type: Document.Type, _ choice: WatchedTables.Choice = .all
  ) throws(Failure) -> [Document] {
    try save(type)
    var found: [Document] = []
    let decoder = decoder
    var shelf = DocumentShelf<Document>()
    swap(&shelf, &memory[keyPath: Document.shelf])
    defer { swap(&shelf, &memory[keyPath: Document.shelf]) }
    try tables.forEach(Document.kind, choice) { (id, text) throws(Failure) in
      let document: Document?
      if let known = shelf[id] {
        document = known
      } else {
        document = Document(text: try text(), decoder: decoder)
        shelf.hold(document, id: id)
      }
      if let document { found.append(document) }
    }
    return found
  }

  /// Stores the given document.
  func set<Document: WatchedDocument>(_ document: Document) {
    memory[keyPath: Document.shelf].change(document)
  }

  /// Changes the document with the given ID; creates it first if it does not exist.
  func change<Document: WatchedDocument>(
    _ id: String, new: @autoclosure () -> Document, _ change: (inout Document) -> Void
  ) throws(Failure) {
    var document = try document(Document.self, id) ?? new()
    change(&document)
    set(document)
  }

  /// Changes the document with the given ID, if it exists.
  func change<Document: WatchedDocument>(
    _ type: Document.Type, _ id: String, _ change: (inout Document) -> Void
  ) throws(Failure) {
    guard var document = try document(type, id) else { return }
    change(&document)
    set(document)
  }

  /// Removes outdated documents of the given type.
  ///
  /// These are documents that were not updated since the given time, and the oldest ones beyond the
  /// maximum number.
  func remove<Document: WatchedDocument>(
    _ type: Document.Type, before updatedAt: Int64, beyond most: Int
  ) throws(Failure) -> Bool {
    try save(type)
    guard try tables.remove(Document.kind, before: updatedAt, beyond: most) > 0 else {
      return false
    }
    memory[keyPath: Document.shelf] = DocumentShelf()
    memory.openIncidents = nil
    return true
  }

  /// Returns the open incidents.
  func openIncidents() throws(Failure) -> OpenIncidents {
    if let known = memory.openIncidents { return known }
    return OpenIncidents(try documents(WatchedIncident.self, .below(WatchedIncident.open)))
  }

  /// Sets the open incidents; nil if they must be read again.
  func setOpenIncidents(_ incidents: OpenIncidents?) { memory.openIncidents = incidents }

  /// Stores the given incident, which was neither closed nor reopened.
  func update(_ incident: WatchedIncident) {
    set(incident)
    if incident.closedAt == nil { memory.openIncidents?.update(incident) }
  }

  /// Stores the given incident after it was closed or reopened.
  func settle(_ incident: WatchedIncident) {
    set(incident)
    memory.openIncidents = nil
  }

  /// Writes all unsaved changes to the tables.
  func save() throws(Failure) {
    try save(WatchedAgent.self)
    try save(WatchedSwarm.self)
    try save(WatchedSession.self)
    try save(WatchedSkill.self)
    try save(WatchedCall.self)
    try save(WatchedGate.self)
    try save(WatchedIncident.self)
    try save(WatchedAlert.self)
    try save(WatchedUsage.self)
    try save(WatchedSpending.self)
    memory.version = try tables.rows.version()
  }

  private func save<Document: WatchedDocument>(_ type: Document.Type) throws(Failure) {
    for document in memory[keyPath: Document.shelf].drainChanged() {
      try tables.set(try document.row)
    }
  }
}
