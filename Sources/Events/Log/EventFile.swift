import Core
import Foundation
import GRDB
import Storage
import Synchronization

/// The file of the event log that is currently in its place, whatever happened to earlier ones.
///
/// A log may be deleted, renamed, truncated or overwritten while processes have it open. SQLite
/// notices none of that: it would continue with the file that it opened, with shared memory, and
/// with a write-ahead log of another file. So each use checks first.
final class EventFile: Sendable {
  private struct Opened {
    var file: DatabaseFile
    /// The file as it was when opened.
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

  /// Opens the file, and creates it if there is none.
  ///
  /// - Throws: `StorageFailed`.
  init(path: String) throws(Failure) {
    self.path = path
    opened = Mutex(try Self.open(path))
  }

  /// Returns the file that is currently in place.
  ///
  /// - Parameter makes: `true` to create a missing file; otherwise the last one is returned.
  /// - Returns: The open file.
  /// - Throws: `StorageFailed`.
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

  /// Deletes an empty file, and the files that an earlier log left beside an empty place.
  ///
  /// Processes that have them open keep them; a new log would be read with their shared memory.
  private static func clear(_ path: String) throws(Failure) {
    let isNew = Place(path) == nil && access(path + "-shm", F_OK) != 0
    guard !isNew, (Place(path)?.size ?? 0) == 0,
      DatabasePlace(path: path).reasonAgainstWriting == nil
    else { return }
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // A log is created under the lock, so this one is not being created just now.
    guard (Place(path)?.size ?? 0) == 0 else { return }
    EventCompanions(path: path).remove()
    unlink(path)
  }

  /// Gives a truncated or overwritten file another inode, so that processes that have it open
  /// notice, and write no pages of the former log into it.
  private static func setAside(_ path: String, _ place: Place?) throws(Failure) {
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have done this meanwhile.
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
