import Core
import Foundation

/// The files of a database, which are examined before SQLite opens them.
///
/// The examination prevents loss, because SQLite would treat an empty file as a new database. It
/// would also delete a write-ahead log whose database file is missing.
package struct DatabasePlace: Sendable {
  /// A description of a file's state.
  ///
  /// Two descriptions differ if the file changed in between.
  package struct Look: Hashable, Sendable {
    fileprivate var device: dev_t
    fileprivate var number: ino_t
    fileprivate var size: Int64
    fileprivate var changedAt: [Int]
    /// `true` if the write-ahead log contains commits that the database file lacks.
    package var hasLog: Bool
  }

  /// The file's path.
  package let path: String

  /// Creates the place of the database file at the given path.
  package init(path: String) { self.path = path }

  /// The path of the lock file.
  ///
  /// A mark in it shows that the database was created.
  package var lockPath: String { path + ".lock" }

  private var logPath: String { path + "-wal" }

  /// The size of the file in bytes; nil if it does not exist.
  var size: Int64? { Self.status(path).map { Int64($0.st_size) } }

  /// `true` if the write-ahead log contains commits that the database file lacks.
  var hasLog: Bool { (Self.status(logPath)?.st_size ?? 0) > 0 }

  /// `true` if the shared memory of the write-ahead log exists.
  var hasSharedMemory: Bool { access(path + "-shm", F_OK) == 0 }

  /// The current state of the file; nil if it does not exist.
  package var look: Look? {
    // The write-ahead log is examined first, because it is deleted only after its commits are in
    // the file.
    let hasLog = hasLog
    guard let status = Self.status(path) else { return nil }
    return Look(
      device: status.st_dev, number: status.st_ino, size: Int64(status.st_size),
      changedAt: Self.changedAt(status), hasLog: hasLog)
  }

  /// `true` if the file is missing or empty.
  var isEmpty: Bool { (size ?? 0) == 0 }

  /// The reason why the file cannot be written, in the system's words; nil if it can be written.
  package var reasonAgainstWriting: String? {
    var folder = (path as NSString).deletingLastPathComponent
    while folder.utf8.count > 1, access(folder, F_OK) != 0, errno == ENOENT {
      folder = (folder as NSString).deletingLastPathComponent
    }
    // SQLite creates files beside the database, so the folder must be writable in any case.
    guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
      return String(cString: strerror(errno))
    }
    guard access(path, W_OK) != 0, errno != ENOENT else { return nil }
    return String(cString: strerror(errno))
  }

  /// The URI by which SQLite opens the file as immutable, without creating files beside it.
  ///
  /// See `immutable` at https://sqlite.org/uri.html.
  package var unchangingName: String {
    var plain = CharacterSet.alphanumerics
    plain.insert(charactersIn: "/-._~")
    // Characters outside ASCII must be encoded as well.
    plain.formIntersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    let name = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(name)?immutable=1"
  }

  /// Throws a failure if creating a new database at this place would lose data.
  ///
  /// - Throws: `StorageFailed` of kind `corrupt` if the file is missing or empty although a
  ///   database was created here before.
  func refuseLoss() throws(Failure) {
    switch size {
    case nil:
      guard !hasLog else {
        throw corrupt(
          "is missing, but '\(logPath)' exists",
          nextStep: "restore it, or remove the log to start anew")
      }
    case 0:
      guard !hasLog, !isMarked else {
        throw corrupt(
          "is empty but was not before",
          nextStep: "restore a copy, or remove it"
            + (hasLog ? " and '\(logPath)'" : "") + " to start anew")
      }
    default: break
    }
  }

  /// Throws a failure if the file was truncated within a page.
  ///
  /// SQLite notices the truncation only when it reads that page, and substitutes zeros. The check
  /// does not open the file, because closing it would release the locks that SQLite holds on it in
  /// this process (https://sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Throws: `StorageFailed` of kind `corrupt` if the size of the file is not a multiple of
  ///   `pageSize`.
  func refuseCut(_ look: Look?, pageSize: Int) throws(Failure) {
    // If the disk is full, the file may end with half a page, but then the log has the whole page.
    guard let look, !look.hasLog, pageSize > 0, look.size % Int64(pageSize) != 0 else { return }
    throw corrupt("is truncated", nextStep: "restore a copy")
  }

  /// `true` if a database has been created at this place.
  private var isMarked: Bool { (Self.status(lockPath)?.st_size ?? 0) > 0 }

  /// Sets or removes the mark that a database was created at this place.
  ///
  /// The caller must hold the lock. If the disk is full, the mark may be missing. The next process
  /// that opens the database then sets it.
  func mark(_ isMade: Bool) {
    guard isMade != isMarked else { return }
    guard isMade else {
      truncate(lockPath, 0)
      return
    }
    let file = Descriptor(open(lockPath, O_WRONLY | O_CLOEXEC))
    // A mark that cannot be written is not a failure; see above.
    if file.isOpen { _ = file.write(Array("made\n".utf8)) }
  }

  private func corrupt(_ what: String, nextStep: String) -> Failure {
    Failure(.storageFailed, "'\(path)' \(what)", kind: .corrupt, input: path, nextStep: nextStep)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
