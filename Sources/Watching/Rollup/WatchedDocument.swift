import Core
import Foundation

/// A document of the watched state, identified by its type and ID.
protocol WatchedDocument: Codable, Sendable, Equatable {
  /// The kind under which documents of this type are stored.
  static var kind: String { get }
  /// The cache for documents of this type.
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<Self>> { get }
  var id: String { get }
  /// The ID of the document's parent; nil if it has none.
  var parent: String? { get }
  /// The time of the document's last change, in milliseconds since 1970.
  var updatedAt: Int64 { get }
  /// The time until which the document is relevant to the current state if no events follow; nil if
  /// it is not.
  var liveUntil: Int64? { get }
  /// The used fraction of the document's capacity; nil if it has none.
  var fullness: Double? { get }
  /// The fraction of repeated contents in the document; nil if it is unknown.
  var redundancy: Double? { get }
}

extension WatchedDocument {
  var parent: String? { nil }
  var liveUntil: Int64? { nil }
  var fullness: Double? { nil }
  var redundancy: Double? { nil }

  /// Decodes a stored document; nil if another version stored it in a form that cannot be decoded.
  init?(text: String, decoder: JSONDecoder = JSONDecoder()) {
    guard let document = try? decoder.decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = document
  }

  /// The row under which the document is stored.
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
        throw Failure(.storageFailed, "cannot store the state of a \(Self.kind): \(error)")
      }
    }
  }
}
