import Core
import Foundation

/// The stored position in the log.
///
/// All events up to it were forwarded.
struct ForwardingCursor: Sendable {
  private let folder: String
  private let path: String

  /// Creates the cursor for the collector at the given URL.
  init(_ directories: Directories, url: String) {
    let digest = SHA256Digest.hexadecimal(Array(url.utf8)).prefix(16)
    folder = directories.state + "/forwarding"
    path = "\(folder)/\(digest)"
  }

  /// The id of the last forwarded event.
  ///
  /// It is empty if no event was forwarded yet, and nil if forwarding to this collector never
  /// began.
  var last: String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  /// Stores the id of the last forwarded event.
  ///
  /// After a power cut, the file may contain an earlier id. Events are then sent again. Another hub
  /// recognizes them by their ids.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
  func set(_ last: String) throws(Failure) {
    try Directories.make(folder)
    do {
      try Data((last + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        .storageFailed, "cannot write '\(path)'", input: path, cause: "\(error)")
    }
  }
}
