import Core
import Foundation
import Storage

/// A record of the files beside an event log, and of the log file they belong to.
///
/// A log that is moved into the place of another finds the other's write-ahead log there, which
/// SQLite would read as its own, since nothing in it names its file. So each process that opens a
/// log records both inodes in the lock file. A write-ahead log that belongs to another file is
/// deleted; processes that have it open keep it. A copy of the whole folder has two new inodes.
struct EventCompanions {
  private struct Note: Equatable {
    var file: UInt64
    var log: UInt64
  }

  let path: String

  private var lockPath: String { DatabasePlace(path: path).lockPath }

  /// Deletes files that belong to another log than the one in place.
  ///
  /// - Throws: `StorageFailed`.
  func removeForeign() throws(Failure) {
    guard foreignRecord != nil else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have deleted them meanwhile.
    guard let record = foreignRecord else { return }
    remove()
    // Inodes are reused: the next log must not be mistaken for the deleted one.
    write(record)
  }

  /// Deletes the write-ahead log and its shared memory, if they exist.
  func remove() {
    for ending in ["-wal", "-shm"] { unlink(path + ending) }
  }

  /// Records which files belong together, after a log was opened.
  ///
  /// - Throws: `StorageFailed`.
  func record() throws(Failure) {
    guard DatabasePlace(path: path).reasonAgainstWriting == nil, current != recorded else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    if let current { write(current) }
  }

  /// The record to write if the current one names another log file but this write-ahead log.
  private var foreignRecord: Note? {
    guard let recorded, let current, recorded.file != current.file, recorded.log != 0,
      recorded.log == current.log
    else { return nil }
    return Note(file: current.file, log: 0)
  }

  private var current: Note? {
    Self.inode(path).map { Note(file: $0, log: Self.inode(path + "-wal") ?? 0) }
  }

  private var recorded: Note? {
    let words =
      FileManager.default.contents(atPath: lockPath)
      .map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
    let numbers = words.dropFirst().prefix(2).compactMap { UInt64($0) }
    return numbers.count == 2 ? Note(file: numbers[0], log: numbers[1]) : nil
  }

  /// Writes the record; on a full disk it is missing, and everything works as without it.
  private func write(_ record: Note) {
    let file = Descriptor(open(lockPath, O_WRONLY | O_TRUNC | O_CLOEXEC))
    if file.isOpen { _ = file.write(Array("made \(record.file) \(record.log) \n".utf8)) }
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
