import Core
import Foundation
import Synchronization

/// A queue of event lines on disk for a hub, in order of arrival.
///
/// The lines are in the files of a private folder. The process that holds the folder's lock appends
/// lines and sends them. After a crash, another process takes over the folder and sends the oldest
/// file again. By their `srcId`, the hub recognizes events that it already has.
final class HubSpool: Sendable {
  /// Complete lines that are sent together.
  struct Batch: Sendable {
    /// The lines, each with its line end.
    var bytes: [UInt8]
    /// The number of lines.
    var lines: Int
  }

  private struct Segment {
    var number: Int
    var bytes = 0
    var lines = 0
  }

  private struct State {
    /// The files, oldest first.
    var segments: [Segment] = []
    /// The number of bytes of the oldest file that are already sent.
    var sentBytes = 0
    var appended = 0
    var sent = 0
  }

  /// The size in bytes at which a new file is started.
  private static let segmentBytes = 4 << 20

  /// The path of the folder.
  let folder: String
  private let lock: FileLock
  private let state: Mutex<State>

  /// Locks the given folder and reads its files; returns nil if another process holds the lock.
  ///
  /// - Parameter folder: The path of a new folder, or of a folder that another process left.
  /// - Throws: `StorageFailed` if a file cannot be read or created.
  init?(_ folder: String) throws(Failure) {
    guard let lock = try FileLock.ifFree(folder + "/lock") else { return nil }
    self.lock = lock
    self.folder = folder
    var found = State()
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for number in numbers.compactMap(Self.number).sorted() {
      let path = Self.path(number, in: folder)
      let segment = try Self.whole(path, number)
      guard segment.bytes > 0 else {
        unlink(path)
        continue
      }
      found.segments.append(segment)
      found.appended += segment.lines
    }
    state = Mutex(found)
  }

  // MARK: Counts

  /// The number of bytes in all files.
  var bytes: Int { state.withLock { $0.segments.reduce(0) { $0 + $1.bytes } } }
  /// The number of lines that were appended.
  ///
  /// It includes the lines that another process left.
  var appended: Int { state.withLock(\.appended) }
  /// The number of lines that were sent.
  var sent: Int { state.withLock(\.sent) }
  /// The number of unsent lines.
  var waiting: Int { state.withLock { $0.appended - $0.sent } }

  /// Appends the given lines, either all or none.
  ///
  /// - Throws: `StorageFailed` if the lines cannot be written.
  func append(_ batch: Batch) throws(Failure) {
    guard batch.lines > 0 else { return }
    try state.withLock { (state) throws(Failure) in
      if state.segments.last.map({ $0.bytes >= Self.segmentBytes }) ?? true {
        let number = (state.segments.last?.number ?? state.appended) + 1
        state.segments.append(Segment(number: number))
      }
      let last = state.segments.count - 1
      try write(batch.bytes, to: state.segments[last])
      state.segments[last].bytes += batch.bytes.count
      state.segments[last].lines += batch.lines
      state.appended += batch.lines
    }
  }

  private func write(_ bytes: [UInt8], to segment: Segment) throws(Failure) {
    let path = Self.path(segment.number, in: folder)
    let file = Descriptor(
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file.isOpen, file.write(bytes) else {
      let reason = String(cString: strerror(errno))
      // A partial line is cut off. If that fails, it merges with the next line, which the hub
      // rejects.
      if file.isOpen { _ = ftruncate(file.number, off_t(segment.bytes)) }
      throw Failure(.storageFailed, "cannot write '\(path)': \(reason)", input: path)
    }
  }

  // MARK: Sending

  /// Returns the next lines to send.
  ///
  /// - Parameter limit: The largest number of bytes, unless a single line is longer.
  /// - Returns: The lines; nil if all were sent.
  /// - Throws: `StorageFailed` if the lines cannot be read.
  func next(upTo limit: Int) throws(Failure) -> Batch? {
    try state.withLock { (state) throws(Failure) in
      guard let first = state.segments.first else { return nil }
      let path = Self.path(first.number, in: folder)
      let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
      let rest = first.bytes - state.sentBytes
      guard file.isOpen, lseek(file.number, off_t(state.sentBytes), SEEK_SET) >= 0,
        var bytes = file.bytes(atMost: min(rest, limit))
      else { throw Self.unreadable(path) }
      if bytes.count < rest {
        if let end = bytes.lastIndex(of: 0x0A) {
          bytes.removeLast(bytes.count - end - 1)
        } else {
          guard let more = file.bytes(atMost: rest - bytes.count) else {
            throw Self.unreadable(path)
          }
          bytes += more.prefix { $0 != 0x0A } + [0x0A]
        }
      }
      return Batch(bytes: bytes, lines: bytes.count { $0 == 0x0A })
    }
  }

  /// Removes the lines that ``next(upTo:)`` last returned, after they were sent.
  func remove(_ batch: Batch) {
    state.withLock { state in
      guard let first = state.segments.first else { return }
      state.sent += batch.lines
      state.sentBytes += batch.bytes.count
      guard state.sentBytes >= first.bytes else { return }
      unlink(Self.path(first.number, in: folder))
      state.segments.removeFirst()
      state.sentBytes = 0
    }
  }

  /// Deletes the folder if it has no unsent lines.
  func close() {
    guard waiting == 0 else { return }
    unlink(folder + "/lock")
    rmdir(folder)
  }

  // MARK: Files

  /// Returns the given file of another process, after cutting off an incomplete last line.
  private static func whole(_ path: String, _ number: Int) throws(Failure) -> Segment {
    let file = Descriptor(open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW))
    guard file.isOpen, let bytes = file.bytes(atMost: Int(Int32.max)) else {
      throw unreadable(path)
    }
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if end < bytes.count { _ = ftruncate(file.number, off_t(end)) }
    return Segment(number: number, bytes: end, lines: bytes[..<end].count { $0 == 0x0A })
  }

  private static func unreadable(_ path: String) -> Failure {
    Failure(
      .storageFailed, "cannot read '\(path)': \(String(cString: strerror(errno)))", input: path)
  }

  private static func path(_ number: Int, in folder: String) -> String {
    "\(folder)/\(number).ndjson"
  }

  private static func number(_ name: String) -> Int? {
    name.hasSuffix(".ndjson") ? Int(name.dropLast(".ndjson".count)) : nil
  }
}
