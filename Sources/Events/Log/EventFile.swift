import Core
import Foundation
import GRDB
import Storage
import Synchronization

/// The file of the event log: the one that is in its place now, whatever became of an earlier one.
///
/// A log may be removed, renamed, cut or overwritten while processes have it open. SQLite sees none
/// of that: it would go on with the file that it opened, with the memory that it shares with others,
/// and with a write-ahead log that belongs to neither. So each use looks first.
final class EventFile: Sendable {
  private struct Opened {
    var file: DatabaseFile
    /// The file that was opened.
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

  /// Opens the file, and makes it where there is none.
  ///
  /// - Throws: `StorageFailed`.
  init(path: String) throws(Failure) {
    self.path = path
    opened = Mutex(try Self.open(path))
  }

  /// The file that is in its place now.
  ///
  /// - Parameter makes: Whether one is made where there is none; else the last one is meant.
  /// - Returns: The file, opened.
  /// - Throws: `StorageFailed`.
  func current(making makes: Bool) throws(Failure) -> DatabaseFile {
    try opened.withLock { (opened) throws(Failure) in
      guard opened.file.reasonAgainstWriting == nil else { return opened.file }
      let place = Place(path)
      if place == nil, !makes { return opened.file }
      let isThere = place.flatMap { opened.place?.isSameFile(as: $0) } ?? false
      if isThere, try opened.mark.isPresent(in: opened.file) { return opened.file }
      opened.file.leaveCompanions()
      if isThere { try Self.setAside(path, place) }
      opened = try Self.open(path)
      return opened.file
    }
  }

  deinit {
    opened.withLock { opened in
      let place = Place(path)
      let isThere = place.flatMap { opened.place?.isSameFile(as: $0) } ?? false
      if !isThere { opened.file.leaveCompanions() }
    }
  }

  private static func open(_ path: String) throws(Failure) -> Opened {
    try clear(path)
    let companions = EventCompanions(path: path)
    try companions.removeForeign()
    let file = try DatabaseFile(path: path, durability: .normal, migrations: Migrations.events)
    try companions.note()
    return Opened(file: file, place: Place(path), mark: try EventMark(file))
  }

  /// Removes a file without bytes, and what an earlier one left beside a place that is empty.
  ///
  /// Those who have them open keep them; a new file would be read with their memory.
  private static func clear(_ path: String) throws(Failure) {
    let isNew = Place(path) == nil && access(path + "-shm", F_OK) != 0
    guard !isNew, (Place(path)?.size ?? 0) == 0,
      DatabasePlace(path: path).reasonAgainstWriting == nil
    else { return }
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Whoever makes a log holds the lock meanwhile: it is not one that is just being made.
    guard (Place(path)?.size ?? 0) == 0 else { return }
    EventCompanions(path: path).remove()
    unlink(path)
  }

  /// Gives a file that was cut or overwritten another inode, so that all who had it open see that it
  /// is another one, and none of them writes pages of the former into it.
  private static func setAside(_ path: String, _ place: Place?) throws(Failure) {
    let lock = try FileLock.waiting(for: DatabasePlace(path: path).lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have done it by now.
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
