import Core
import Foundation

/// Something that is kept of what is watched, by an id.
protocol WatchedDocument: Codable, Sendable, Equatable {
  /// What documents of this type are kept as.
  static var kind: String { get }
  /// Where those that were read are in memory.
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<Self>> { get }
  var id: String { get }
  /// What it belongs to.
  var parent: String? { get }
  /// When it changed last, in milliseconds since 1970.
  var updatedAt: Int64 { get }
  /// Until when it matters to who asks how things stand, if nothing more comes; nil for what does not.
  var liveUntil: Int64? { get }
  /// Which part of it is full; nil for what nothing is put into.
  var fullness: Double? { get }
  /// Which part of it was there before; nil for what that is not known of.
  var redundancy: Double? { get }
}

extension WatchedDocument {
  var parent: String? { nil }
  var liveUntil: Int64? { nil }
  var fullness: Double? { nil }
  var redundancy: Double? { nil }

  /// Reads what was kept; nil for what another version kept that cannot be read, which is as if it
  /// were not there.
  init?(text: String, decoder: JSONDecoder = JSONDecoder()) {
    guard let document = try? decoder.decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = document
  }

  /// The document as it is kept.
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
