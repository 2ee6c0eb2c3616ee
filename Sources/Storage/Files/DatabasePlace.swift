import Core
import Foundation

/// What lies in the place of a database before SQLite looks at it, which would take an empty file
/// for a new database, and remove a log that belongs to none.
package struct DatabasePlace: Sendable {
  /// How a file looks that nobody changes.
  struct Look: Hashable, Sendable {
    fileprivate var device: dev_t
    fileprivate var number: ino_t
    fileprivate var size: Int64
    fileprivate var changedAt: [Int]
    /// Whether there were commits that the file itself did not have.
    var hasLog: Bool
  }

  /// The file.
  package let path: String

  /// The place of a file.
  package init(path: String) { self.path = path }

  /// The file that processes take turns by, with a mark in it once the database was made.
  package var lockPath: String { path + ".lock" }

  private var logPath: String { path + "-wal" }

  /// The bytes of the file; nil where there is none.
  var size: Int64? { Self.status(path).map { Int64($0.st_size) } }

  /// Whether there are commits that the file itself does not have yet.
  var hasLog: Bool { (Self.status(logPath)?.st_size ?? 0) > 0 }

  /// Whether there is the memory that a log is shared by.
  var hasSharedMemory: Bool { access(path + "-shm", F_OK) == 0 }

  /// How it looks now; nil where there is none.
  var look: Look? {
    // The log first: it goes after what it held has come into the file.
    let hasLog = hasLog
    guard let status = Self.status(path) else { return nil }
    return Look(
      device: status.st_dev, number: status.st_ino, size: Int64(status.st_size),
      changedAt: Self.changedAt(status), hasLog: hasLog)
  }

  /// Whether there is nothing to read: no file, or one of no bytes.
  var isEmpty: Bool { (size ?? 0) == 0 }

  /// Why nothing can be written here, in the system's words; nil where it can.
  package var reasonAgainstWriting: String? {
    var folder = (path as NSString).deletingLastPathComponent
    while folder.utf8.count > 1, access(folder, F_OK) != 0, errno == ENOENT {
      folder = (folder as NSString).deletingLastPathComponent
    }
    // Beside the file SQLite makes others, whatever the file's own mode.
    guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
      return String(cString: strerror(errno))
    }
    guard access(path, W_OK) != 0, errno != ENOENT else { return nil }
    return String(cString: strerror(errno))
  }

  /// The name by which SQLite reads a file that has no log and that nobody changes, without making
  /// files beside it (https://sqlite.org/uri.html, `immutable`).
  var unchangingName: String {
    var plain = CharacterSet.alphanumerics
    plain.insert(charactersIn: "/-._~")
    // What is not ASCII is encoded as well.
    plain.formIntersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    let name = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(name)?immutable=1"
  }

  /// Refuses what would be lost if the database were begun anew here.
  ///
  /// - Throws: `StorageFailed` of the kind `corrupt`.
  func refuseLoss() throws(Failure) {
    switch size {
    case nil:
      guard !hasLog else {
        throw corrupt(
          "is missing, but '\(logPath)' exists: restore it, or remove the log to start "
            + "anew")
      }
    case 0:
      guard !hasLog, !isMarked else {
        throw corrupt(
          "is empty but was not before: restore a copy, or remove it"
            + (hasLog ? " and '\(logPath)'" : "") + " to start anew")
      }
    default: break
    }
  }

  /// Refuses a file that ended within a page before it was opened.
  ///
  /// SQLite finds out when it reads that page, and takes zeros for what is missing. The file is not
  /// opened for that: closing it would let go of the locks that SQLite has on it in this process
  /// (https://sqlite.org/howtocorrupt.html, 2.2).
  ///
  /// - Throws: `StorageFailed` of the kind `corrupt`.
  func refuseCut(_ look: Look?, pageSize: Int) throws(Failure) {
    // A full disk may leave half a page; the whole one is in the log then.
    guard let look, !look.hasLog, pageSize > 0, look.size % Int64(pageSize) != 0 else { return }
    throw corrupt("is truncated: restore a copy")
  }

  /// Whether the database was made here once.
  private var isMarked: Bool { (Self.status(lockPath)?.st_size ?? 0) > 0 }

  /// Notes whether the database was made here; the caller holds the lock.
  ///
  /// A full disk may take no note: the next process that opens the database tries again.
  func mark(_ isMade: Bool) {
    guard isMade != isMarked else { return }
    guard isMade else {
      truncate(lockPath, 0)
      return
    }
    let file = Descriptor(open(lockPath, O_WRONLY | O_CLOEXEC))
    // See above: a note that is not taken is no failure.
    if file.isOpen { _ = file.write(Array("made\n".utf8)) }
  }

  private func corrupt(_ what: String) -> Failure {
    Failure(.storageFailed, "'\(path)' \(what)", kind: .corrupt, input: path)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
