public import Core
import Foundation

extension SessionSource {
  /// The time in seconds for which files must not have changed.
  ///
  /// A change right after another one may leave the size and the time of a file as they were.
  private static let settled = 2.0

  /// The path of the source, or of its first file.
  public var path: String {
    switch self {
    case .transcripts(let files): files.first?.path ?? ""
    case .database(let path), .storage(let path): path
    }
  }

  /// The files whose state shows changes of the source; empty if no state does.
  private var files: [String] {
    switch self {
    case .transcripts(let files):
      files.map(\.path) + files.filter { $0.session.subagent != nil }.map(\.facts)
    case .database(let path): [path, path + "-wal"]
    case .storage: []
    }
  }

  /// Returns a digest of the files' places, identities, sizes and times.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The digest; nil if a change might leave it as it is.
  public func state(at now: Timestamp) -> String? {
    let files = files
    guard !files.isEmpty else { return nil }
    var text = "\(self)"
    for file in files {
      text += "\n\(file) "
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      guard let changed = FileTime.changed(file), now.seconds(since: changed) > Self.settled else {
        return nil
      }
      text += "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed.milliseconds)"
    }
    return SHA256Digest.hexadecimal(Array(text.utf8))
  }
}
