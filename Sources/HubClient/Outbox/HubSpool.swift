import Core
import Foundation
import Synchronization

/// Lines of events that wait on disk for a hub, in the order they came.
///
/// They are in files of a folder of their own, which only this user may read. Who holds the folder's
/// lock adds to them and sends them; where a process died, the next one takes its folder over and
/// begins with the oldest file anew: what the hub has of it already, it knows by its `srcId`.
final class HubSpool: Sendable {
  /// Whole lines to be sent.
  struct Batch: Sendable {
    /// The lines, each with its end.
    var bytes: [UInt8]
    /// How many they are.
    var lines: Int
  }

  private struct Segment {
    var number: Int
    var bytes = 0
    var lines = 0
  }

  private struct State {
    /// The files, the oldest first.
    var segments: [Segment] = []
    /// What was sent of the oldest one.
    var sentBytes = 0
    var taken = 0
    var sent = 0
  }

  /// A file that has so many bytes is followed by another one, so that what was sent can go.
  private static let segmentBytes = 4 << 20

  /// The folder.
  let folder: String
  private let lock: FileLock
  private let state: Mutex<State>

  /// Takes a folder; nil where a process has it.
  ///
  /// - Parameter folder: A new one, or what another process left.
  /// - Throws: `StorageFailed`.
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
      found.taken += segment.lines
    }
    state = Mutex(found)
  }

  // MARK: What waits

  /// How many bytes it has on disk.
  var bytes: Int { state.withLock { $0.segments.reduce(0) { $0 + $1.bytes } } }
  /// How many lines it was given since it was made.
  var taken: Int { state.withLock(\.taken) }
  /// How many of them were sent.
  var sent: Int { state.withLock(\.sent) }
  /// How many wait.
  var waiting: Int { state.withLock { $0.taken - $0.sent } }

  /// Adds lines; either all are there afterwards or none.
  ///
  /// - Throws: `StorageFailed`.
  func append(_ batch: Batch) throws(Failure) {
    guard batch.lines > 0 else { return }
    try state.withLock { (state) throws(Failure) in
      if state.segments.last.map({ $0.bytes >= Self.segmentBytes }) ?? true {
        let number = (state.segments.last?.number ?? state.taken) + 1
        state.segments.append(Segment(number: number))
      }
      let last = state.segments.count - 1
      try write(batch.bytes, to: state.segments[last])
      state.segments[last].bytes += batch.bytes.count
      state.segments[last].lines += batch.lines
      state.taken += batch.lines
    }
  }

  private func write(_ bytes: [UInt8], to segment: Segment) throws(Failure) {
    let path = Self.path(segment.number, in: folder)
    let file = Descriptor(
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file.isOpen, file.write(bytes) else {
      let reason = String(cString: strerror(errno))
      // A part of a line would be joined to the next one; where it stays, the hub rejects a line.
      if file.isOpen { _ = ftruncate(file.number, off_t(segment.bytes)) }
      throw Failure(.storageFailed, "cannot write '\(path)': \(reason)", input: path)
    }
  }

  // MARK: Sending

  /// The next lines to be sent.
  ///
  /// - Parameter limit: So many bytes at most, but for one line that is longer.
  /// - Returns: Nil where none wait.
  /// - Throws: `StorageFailed`.
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

  /// The lines that were given last were sent: they wait no more.
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

  /// Lets go of the folder, which goes where nothing is left in it.
  func close() {
    guard waiting == 0 else { return }
    unlink(folder + "/lock")
    rmdir(folder)
  }

  // MARK: Files

  /// What another process left of a file: a line that it did not end is cut off.
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
