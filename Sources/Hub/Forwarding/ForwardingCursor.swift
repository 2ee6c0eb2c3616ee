import Core
import Foundation

/// The position in the log up to which everything was forwarded, in a file of the state folder.
struct ForwardingCursor: Sendable {
  private let folder: String
  private let path: String

  /// Creates the cursor for a collector.
  init(_ directories: Directories, url: String) {
    let digest = SHA256Digest.hexadecimal(Array(url.utf8)).prefix(16)
    folder = directories.state + "/forwarding"
    path = "\(folder)/\(digest)"
  }

  /// The id of the last forwarded event; empty before the first one, nil if forwarding to this
  /// collector never began.
  var last: String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  /// Stores the id of the last forwarded event.
  ///
  /// A power cut may restore an earlier id. Events that are then sent again have ids by which
  /// another hub recognizes them.
  ///
  /// - Throws: `StorageFailed`.
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
