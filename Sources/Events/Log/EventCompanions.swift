import Core
import Foundation
import Storage

/// What lies beside an event log, and which file it belongs to.
///
/// A log that is moved to the place of another one finds that one's write-ahead log there, and SQLite
/// would read it as its own: nothing in it says whose it is. So who opens a log notes both inodes in the
/// file that processes take turns by, and a write-ahead log that is known to be another file's is
/// removed; those who have it open keep it. Of a copy of the whole folder both inodes are others.
struct EventCompanions {
  private struct Note: Equatable {
    var file: UInt64
    var log: UInt64
  }

  let path: String

  private var lockPath: String { DatabasePlace(path: path).lockPath }

  /// Removes what belongs to another file than the one that is in the place now.
  ///
  /// - Throws: `StorageFailed`.
  func removeForeign() throws(Failure) {
    guard foreignNote != nil else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have done it by now.
    guard let note = foreignNote else { return }
    remove()
    // Inodes are used again: the next log must not be taken for the one that was removed.
    write(note)
  }

  /// Removes the write-ahead log, and the memory that it is shared by; where there is none, nothing.
  func remove() {
    for ending in ["-wal", "-shm"] { unlink(path + ending) }
  }

  /// Notes what belongs together, after a file was opened.
  ///
  /// - Throws: `StorageFailed`.
  func note() throws(Failure) {
    guard DatabasePlace(path: path).reasonAgainstWriting == nil, current != noted else { return }
    let lock = try FileLock.waiting(for: lockPath)
    defer { withExtendedLifetime(lock) {} }
    if let current { write(current) }
  }

  /// What to note in place of a note that tells of another file and of this write-ahead log.
  private var foreignNote: Note? {
    guard let noted, let current, noted.file != current.file, noted.log != 0,
      noted.log == current.log
    else { return nil }
    return Note(file: current.file, log: 0)
  }

  private var current: Note? {
    Self.inode(path).map { Note(file: $0, log: Self.inode(path + "-wal") ?? 0) }
  }

  private var noted: Note? {
    let words =
      FileManager.default.contents(atPath: lockPath)
      .map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
    let numbers = words.dropFirst().prefix(2).compactMap { UInt64($0) }
    return numbers.count == 2 ? Note(file: numbers[0], log: numbers[1]) : nil
  }

  /// A full disk may take no note; then all stays as it would be without.
  private func write(_ note: Note) {
    let file = Descriptor(open(lockPath, O_WRONLY | O_TRUNC | O_CLOEXEC))
    if file.isOpen { _ = file.write(Array("made \(note.file) \(note.log) \n".utf8)) }
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
