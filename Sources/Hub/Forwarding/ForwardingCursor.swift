import Core
import Foundation

/// Up to which event of the log everything was sent on, in a file of the state folder.
struct ForwardingCursor: Sendable {
  private let folder: String
  private let path: String

  /// The file for a collector.
  init(_ directories: Directories, url: String) {
    let digest = SHA256Digest.hexadecimal(Array(url.utf8)).prefix(16)
    folder = directories.state + "/forwarding"
    path = "\(folder)/\(digest)"
  }

  /// The id of the last event that was sent on; empty where that was before the first one, nil where
  /// nothing was ever sent there.
  var last: String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  /// Keeps the id of the last event that was sent on.
  ///
  /// A cut of power may bring an earlier one back: what is then sent again has ids by which another hub
  /// knows it.
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
