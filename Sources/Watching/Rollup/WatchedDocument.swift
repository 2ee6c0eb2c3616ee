import Core
import Foundation

/// A document of the watched state, identified by its type and ID.
protocol WatchedDocument: Codable, Sendable, Equatable {
  /// The kind under which documents of this type are stored.
  static var kind: String { get }
  /// The cache that holds documents of this type.
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<Self>> { get }
  var id: String { get }
  /// The ID of the document's parent; nil if it has none.
  var parent: String? { get }
  /// The time of the document's last change, in milliseconds since 1970.
  var updatedAt: Int64 { get }
  /// The time until which the document belongs to the current state if no events follow.
  ///
  /// It is nil if the document does not belong to it.
  var liveUntil: Int64? { get }
  /// The fraction of the document's capacity that is used; nil if it has no capacity.
  var fullness: Double? { get }
  /// The fraction of the document's contents that is repeated; nil if unknown.
  var redundancy: Double? { get }
}

extension WatchedDocument {
  var parent: String? { nil }
  var liveUntil: Int64? { nil }
  var fullness: Double? { nil }
  var redundancy: Double? { nil }

  /// Decodes the given stored document; returns nil if its form, of another version, cannot be
  /// decoded.
  init?(text: String, decoder: JSONDecoder = JSONDecoder()) {
    guard let document = try? decoder.decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = document
  }

  /// The row in which the document is stored.
  var row: WatchedTables.Row {
    get throws(Failure) {
      WatchedTables.Row(
        kind: Self.kind, id: id, parent: parent, updatedAt: updatedAt, liveUntil: liveUntil,
        fullness: fullness, redundancy: redundancy, text: try text)
    }
  }

  private var text: String {
    get throws(Failure) {
      do {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
      } catch {
        throw Failure(
          .storageFailed, "cannot store the state of \(Self.kind) '\(Visible.line(id))': \(error)")
      }
    }
  }
}
