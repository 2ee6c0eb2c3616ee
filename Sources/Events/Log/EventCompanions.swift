import Core
import Foundation
import Storage

/// The inodes of an event log and of its write-ahead log, as the lock file records them.
///
/// If another log is moved to the path of a log, the write-ahead log of the former log stays beside
/// it. SQLite would use that file, because it does not name the log that it belongs to. Each
/// process that opens a log therefore records both inodes. A write-ahead log that belongs to
/// another file is deleted, but processes that have it open can still use it. In a copy of the
/// whole folder, both inodes are new.
struct EventCompanions {
  private struct Note: Equatable {
    var file: UInt64
    var log: UInt64
  }

  let path: String

  private var lockPath: String { DatabasePlace(path: path).lockPath }

  /// Deletes the write-ahead log and its shared memory if they belong to a log that was replaced.
  ///
  /// - Throws: `StorageFailed` if the lock file cannot be locked.
  func removeForeign() throws(Failure) {
    guard foreignRecord != nil else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have deleted the files meanwhile.
    guard let record = foreignRecord else { return }
    remove()
    // Inodes are reused, so the record must not match the next write-ahead log.
    write(record)
  }

  /// Deletes the write-ahead log and its shared memory, if they exist.
  func remove() {
    for ending in ["-wal", "-shm"] { unlink(path + ending) }
  }

  /// Records the inodes of the log and its write-ahead log, after the log was opened.
  ///
  /// - Throws: `StorageFailed` if the lock file cannot be locked.
  func record() throws(Failure) {
    guard DatabasePlace(path: path).reasonAgainstWriting == nil, current != recorded else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    if let current { write(current) }
  }

  /// The new record if the log was replaced but the write-ahead log was not; nil otherwise.
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

  /// Writes the given record if possible.
  ///
  /// The log also works without a record.
  private func write(_ record: Note) {
    let file = Descriptor(open(lockPath, O_WRONLY | O_TRUNC | O_CLOEXEC))
    if file.isOpen { _ = file.write(Array("made \(record.file) \(record.log) \n".utf8)) }
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
