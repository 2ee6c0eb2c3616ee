import Core
import Foundation

/// A document of the watched state, by an ID.
protocol WatchedDocument: Codable, Sendable, Equatable {
  /// The kind under which documents of this type are stored.
  static var kind: String { get }
  /// The cache of documents of this type.
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<Self>> { get }
  var id: String { get }
  /// The document's parent.
  var parent: String? { get }
  /// The time of the last change, in milliseconds since 1970.
  var updatedAt: Int64 { get }
  /// The time until which it matters to the current state, if no events follow; nil if it does not.
  var liveUntil: Int64? { get }
  /// The used fraction of a capacity; nil if it has none.
  var fullness: Double? { get }
  /// The fraction of repeated contents; nil if it is unknown.
  var redundancy: Double? { get }
}

extension WatchedDocument {
  var parent: String? { nil }
  var liveUntil: Int64? { nil }
  var fullness: Double? { nil }
  var redundancy: Double? { nil }

  /// Decodes a stored document; nil for a document of another version that cannot be decoded, which
  /// counts as missing.
  init?(text: String, decoder: JSONDecoder = JSONDecoder()) {
    guard let document = try? decoder.decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = document
  }

  /// The document as stored.
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
        throw Failure(.storageFailed, "what is known of a \(Self.kind) cannot be kept: \(error)")
      }
    }
  }
}
