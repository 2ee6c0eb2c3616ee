import Core
import Foundation
import GRDB
import Storage
import Synchronization

/// The event log's file that is currently at its path.
///
/// A log may be deleted, renamed, truncated or overwritten while processes have it open. SQLite
/// does not notice this. It would continue to use the file that it opened, together with the
/// write-ahead log of the new file. The file is therefore checked before each use.
final class EventFile: Sendable {
  private struct Opened {
    var file: DatabaseFile
    /// The identity of the file when it was opened.
    var place: Place?
    var mark: EventMark
  }

  private struct Place: Hashable {
    var device: dev_t
    var number: ino_t
    var size: Int64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number, size) = (status.st_dev, status.st_ino, Int64(status.st_size))
    }

    func isSameFile(as other: Place) -> Bool {
      device == other.device && number == other.number
    }
  }

  let path: String
  private let opened: Mutex<Opened>

  /// Opens the file, and creates it if it does not exist.
  ///
  /// - Throws: `StorageFailed` if the file cannot be opened.
  init(path: String) throws(Failure) {
    self.path = path
    opened = Mutex(try Self.open(path))
  }

  /// Returns the file that is currently at the path.
  ///
  /// - Parameter makes: `true` to create a missing file; `false` to return the file that was last
  ///   open instead.
  /// - Returns: The open file.
  /// - Throws: `StorageFailed` if the file cannot be opened.
  func current(making makes: Bool) throws(Failure) -> DatabaseFile {
    try opened.withLock { (opened) throws(Failure) in
      guard opened.file.reasonAgainstWriting == nil else { return opened.file }
      let place = Place(path)
      if place == nil, !makes { return opened.file }
      let isThere = place.flatMap { opened.place?.isSameFile(as: $0) } ?? false
      if isThere, try opened.mark.isPresent(in: opened.file) { return opened.file }
      opened.file.preserveCompanions()
      if isThere { try Self.setAside(path, place) }
      opened = try Self.open(path)
      return opened.file
    }
  }

  deinit {
    opened.withLock { opened in
      let place = Place(path)
      let isThere = place.flatMap { opened.place?.isSameFile(as: $0) } ?? false
      if !isThere { opened.file.preserveCompanions() }
    }
  }

  private static func open(_ path: String) throws(Failure) -> Opened {
    try clear(path)
    let companions = EventCompanions(path: path)
    try companions.removeForeign()
    let file = try DatabaseFile(path: path, durability: .normal, migrations: Migrations.events)
    try companions.record()
    return Opened(file: file, place: Place(path), mark: try EventMark(file))
  }

  /// Deletes the log's file if it is empty, and deletes the files that an earlier log left beside
  /// it.
  ///
  /// Processes that have these files open can still use them. A new log must not be read with the
  /// shared memory of an earlier one.
  private static func clear(_ path: String) throws(Failure) {
    let isNew = Place(path) == nil && access(path + "-shm", F_OK) != 0
    guard !isNew, (Place(path)?.size ?? 0) == 0,
      DatabasePlace(path: path).reasonAgainstWriting == nil
    else { return }
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Logs are created while the lock is held, so no other process is creating this one.
    guard (Place(path)?.size ?? 0) == 0 else { return }
    EventCompanions(path: path).remove()
    unlink(path)
  }

  /// Gives a truncated or overwritten file a new inode.
  ///
  /// Processes that have the file open then notice the change, and write no pages of the former log
  /// into it.
  private static func setAside(_ path: String, _ place: Place?) throws(Failure) {
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have replaced the file meanwhile.
    guard let now = Place(path), place?.isSameFile(as: now) ?? false else { return }
    EventCompanions(path: path).remove()
    guard now.size > 0 else {
      unlink(path)
      return
    }
    let copy = path + ".replaced"
    unlink(copy)
    do {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    } catch {
      throw Failure(.storageFailed, "cannot copy '\(path)': it was overwritten", input: path)
    }
    guard rename(copy, path) == 0 else {
      throw Failure(
        .storageFailed, "cannot replace '\(path)': \(String(cString: strerror(errno)))",
        input: path)
    }
  }
}
