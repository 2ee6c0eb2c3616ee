import Core
import Foundation

/// Something that is kept of what is watched, by an id.
protocol WatchedDocument: Codable, Sendable, Equatable {
  /// What documents of this type are kept as.
  static var kind: String { get }
  var id: String { get }
  /// What it belongs to.
  var parent: String? { get }
  /// When it changed last, in milliseconds since 1970.
  var updatedAt: Int64 { get }
}

extension WatchedDocument {
  var parent: String? { nil }

  /// Reads what was kept; nil for what another version kept that cannot be read, which is as if it
  /// were not there.
  init?(text: String) {
    guard let document = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = document
  }

  var text: String {
    get throws(Failure) {
      do {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
      } catch {
        throw Failure(.storageFailed, "what is known of a \(Self.kind) cannot be kept: \(error)")
      }
    }
  }
}

extension WatchedState {
  /// One document.
  func document<Document: WatchedDocument>(
    _ type: Document.Type, _ id: String
  ) throws(Failure) -> Document? {
    try text(Document.kind, id).flatMap { Document(text: $0) }
  }

  /// All documents of a type, by id, or those below a parent.
  func documents<Document: WatchedDocument>(
    _ type: Document.Type, parent: String? = nil
  ) throws(Failure) -> [Document] {
    try texts(Document.kind, parent: parent).compactMap { Document(text: $0) }
  }

  /// Keeps a document.
  func save(_ document: some WatchedDocument) throws(Failure) {
    try set(
      type(of: document).kind, document.id, parent: document.parent,
      updatedAt: document.updatedAt, document.text)
  }
}

/// The documents of one type that a fold has touched, until they are kept.
struct DocumentCache<Document: WatchedDocument> {
  private var known: [String: Document?] = [:]
  private var changed: Set<String> = []

  /// Changes a document, which is made where there is none.
  mutating func change(
    _ id: String, in state: WatchedState, new: @autoclosure () -> Document,
    _ change: (inout Document) -> Void
  ) throws(Failure) {
    var document = try find(id, in: state) ?? new()
    change(&document)
    set(document)
  }

  /// Changes a document, if there is one.
  mutating func change(
    _ id: String, in state: WatchedState, _ change: (inout Document) -> Void
  ) throws(Failure) {
    guard var document = try find(id, in: state) else { return }
    change(&document)
    set(document)
  }

  /// A document, if there is one.
  mutating func find(_ id: String, in state: WatchedState) throws(Failure) -> Document? {
    if let found = known[id] { return found }
    let document = try state.document(Document.self, id)
    known[id] = .some(document)
    return document
  }

  /// Sets a document.
  mutating func set(_ document: Document) {
    known[document.id] = .some(document)
    changed.insert(document.id)
  }

  /// Keeps what changed.
  mutating func save(to state: WatchedState) throws(Failure) {
    for id in changed {
      if let document = known[id] ?? nil { try state.save(document) }
    }
    changed = []
  }
}
