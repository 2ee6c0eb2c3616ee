import Core
import Foundation
import Storage

/// The stored position in the log.
///
/// All events up to it were forwarded. Hubs that share their records share the position.
struct ForwardingCursor: Sendable {
  /// The place of the position.
  private enum Place: Sendable {
    case file(path: String)
    case row(Store, collector: String)
  }

  private let place: Place

  /// Creates the cursor for the collector at the given URL.
  ///
  /// - Parameters:
  ///   - directories: The directories of the hub.
  ///   - shared: The store that hubs share; nil if the hub has its own files.
  ///   - url: The URL of the collector. Only a digest of it is stored.
  init(_ directories: Directories, shared: Store?, url: String) {
    let digest = String(SHA256Digest.hexadecimal(Array(url.utf8)).prefix(16))
    place =
      shared.map { .row($0, collector: digest) }
      ?? .file(path: "\(directories.state)/forwarding/\(digest)")
  }

  /// Returns the id of the last forwarded event.
  ///
  /// It is empty if no event was forwarded yet, and nil if forwarding to this collector never
  /// began.
  ///
  /// - Throws: `StorageFailed` if the shared store cannot be read.
  func last() throws(Failure) -> String? {
    switch place {
    case .file(let path):
      FileManager.default.contents(atPath: path).map {
        String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
      }
    case .row(let store, let collector):
      try store.base.read { rows in
        try rows.value(
          String.self, "SELECT eventId FROM forwarded WHERE collector = ?", [collector])
      }
    }
  }

  /// Stores that forwarding begins after the given event, unless it has begun.
  ///
  /// - Throws: `StorageFailed` if the position cannot be written.
  func begin(after last: String) throws(Failure) {
    guard case .row(let store, let collector) = place else { return try set(last, after: "") }
    try store.base.write { rows in
      _ = try rows.run(
        """
        INSERT INTO forwarded (collector, eventId) VALUES (?, ?) ON CONFLICT (collector) DO NOTHING
        """, [collector, last])
    }
  }

  /// Stores the id of the last forwarded event, unless another hub has forwarded in between.
  ///
  /// After a power cut, the file may contain an earlier id. Events are then sent again. Another hub
  /// recognizes them by their ids.
  ///
  /// - Throws: `Conflict` if another hub has forwarded; `StorageFailed` if the position cannot be
  ///   written.
  func set(_ last: String, after earlier: String) throws(Failure) {
    switch place {
    case .file(let path): try write(last, to: path)
    case .row(let store, let collector):
      try store.base.write { rows in
        let count = try rows.run(
          "UPDATE forwarded SET eventId = ? WHERE collector = ? AND eventId = ?",
          [last, collector, earlier])
        guard count > 0 else {
          throw Failure(.conflict, "another hub has forwarded the same events")
        }
      }
    }
  }

  private func write(_ last: String, to path: String) throws(Failure) {
    try Directories.make((path as NSString).deletingLastPathComponent)
    do {
      try Data((last + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        .storageFailed, "cannot write '\(path)'", input: path, cause: "\(error)")
    }
  }
}
