import Core
import Foundation

/// The files of a database, examined before SQLite opens them.
///
/// SQLite would take an empty file for a new database, and remove a log without a database.
package struct DatabasePlace: Sendable {
  /// The state of a file, by which a change is detected.
  struct Look: Hashable, Sendable {
    fileprivate var device: dev_t
    fileprivate var number: ino_t
    fileprivate var size: Int64
    fileprivate var changedAt: [Int]
    /// `true` if the log has commits that the file lacks.
    var hasLog: Bool
  }

  /// The file's path.
  package let path: String

  /// Creates the place of a file.
  package init(path: String) { self.path = path }

  /// The lock file by which processes take turns, marked once the database has been created.
  package var lockPath: String { path + ".lock" }

  private var logPath: String { path + "-wal" }

  /// The size of the file in bytes; nil if it does not exist.
  var size: Int64? { Self.status(path).map { Int64($0.st_size) } }

  /// `true` if the log has commits that the file lacks.
  var hasLog: Bool { (Self.status(logPath)?.st_size ?? 0) > 0 }

  /// `true` if the shared memory of the log exists.
  var hasSharedMemory: Bool { access(path + "-shm", F_OK) == 0 }

  /// The current state of the file; nil if it does not exist.
  var look: Look? {
    // The log is examined first: it is removed only after its commits are in the file.
    let hasLog = hasLog
    guard let status = Self.status(path) else { return nil }
    return Look(
      device: status.st_dev, number: status.st_ino, size: Int64(status.st_size),
      changedAt: Self.changedAt(status), hasLog: hasLog)
  }

  /// `true` if the file is missing or empty.
  var isEmpty: Bool { (size ?? 0) == 0 }

  /// The reason for which the file cannot be written, in the system's words; nil if it can.
  package var reasonAgainstWriting: String? {
    var folder = (path as NSString).deletingLastPathComponent
    while folder.utf8.count > 1, access(folder, F_OK) != 0, errno == ENOENT {
      folder = (folder as NSString).deletingLastPathComponent
    }
    // SQLite creates files beside the database, so its folder must be writable whatever the file's
    // mode.
    guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
      return String(cString: strerror(errno))
    }
    guard access(path, W_OK) != 0, errno != ENOENT else { return nil }
    return String(cString: strerror(errno))
  }

  /// The URI by which SQLite reads a file as immutable, without creating files beside it
  /// (https://sqlite.org/uri.html, `immutable`).
  var unchangingName: String {
    var plain = CharacterSet.alphanumerics
    plain.insert(charactersIn: "/-._~")
    // Characters outside ASCII are encoded as well.
    plain.formIntersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    let name = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(name)?immutable=1"
  }

  /// Rejects a place where creating a new database would lose data.
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

  /// Rejects a file that was truncated within a page before it was opened.
  ///
  /// SQLite notices this only when it reads that page, and substitutes zeros. The file is not
  /// opened for the check: closing it would release the locks that SQLite holds on it in this
  /// process (https://sqlite.org/howtocorrupt.html, 2.2).
  ///
  /// - Throws: `StorageFailed` of the kind `corrupt`.
  func refuseCut(_ look: Look?, pageSize: Int) throws(Failure) {
    // A full disk may leave half a page, but then the log has the whole page.
    guard let look, !look.hasLog, pageSize > 0, look.size % Int64(pageSize) != 0 else { return }
    throw corrupt("is truncated: restore a copy")
  }

  /// `true` if the database was created here before.
  private var isMarked: Bool { (Self.status(lockPath)?.st_size ?? 0) > 0 }

  /// Records whether the database was created here; the caller holds the lock.
  ///
  /// If the disk is full, the mark may be missing: the next process that opens the database tries
  /// again.
  func mark(_ isMade: Bool) {
    guard isMade != isMarked else { return }
    guard isMade else {
      truncate(lockPath, 0)
      return
    }
    let file = Descriptor(open(lockPath, O_WRONLY | O_CLOEXEC))
    // A missing mark is not a failure, as described above.
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
