public import Core
public import Events
import Foundation

/// An event source that waits at the end of a file for bytes that are appended.
///
/// The source ends if the file is truncated, or if another file takes its name.
public final class FollowedFile: EventSource {
  /// The name of the source in messages.
  public let name: String
  private let file: Descriptor
  private let changes: FileWatch
  private var position: off_t = 0

  /// The longest time, in milliseconds, until a change is noticed that the watch does not report,
  /// such as a write through a link in another folder.
  private static let longestWait: Int32 = 1000

  private init(_ path: String, _ file: consuming Descriptor, _ changes: FileWatch) {
    name = path
    self.file = file
    self.changes = changes
  }

  /// Reads the given file from its start, and follows it, as tail(1) does with `-F`.
  ///
  /// If the file is truncated, or if another file takes its name, as in a rotation of logs, reading
  /// continues with the new contents. What is left of the file that had the name before is read
  /// first.
  ///
  /// - Parameters:
  ///   - path: The path of a file.
  ///   - interruption: Ends the reading.
  ///   - report: A function that receives a notice of each truncation and replacement.
  ///   - read: A function that reads a source to its end.
  /// - Throws: `PermissionDenied` if opening the file is not permitted; `NotFound` if it cannot be
  ///   opened for another reason; `BadUsage` if it is compressed or no regular file; `Interrupted`
  ///   if the process is to end; the errors of `read`.
  public static func follow(
    _ path: String, interruption: Interruption, report: NoticeHandler,
    _ read: (any EventSource) throws(Failure) -> Void
  ) throws(Failure) {
    let first = try opened(path)
    let folder = (path as NSString).deletingLastPathComponent
    let changes = try FileWatch(folder: folder.isEmpty ? "." : folder, interruption: interruption)
    var source = FollowedFile(path, first, changes)
    while true {
      try read(source)
      report("'\(Visible.line(path))' was truncated or replaced: reading it from its start")
      source = try FollowedFile(path, reopened(path, changes), changes)
    }
  }

  private static func opened(_ path: String) throws(Failure) -> Descriptor {
    let file = try FileSource.descriptor(path)
    var start: [UInt8] = [0, 0]
    guard file.status().map({ $0.st_mode & S_IFMT == S_IFREG }) ?? false else {
      throw unfollowed(path, "is no regular file")
    }
    guard pread(file.number, &start, 2, 0) < 2 || start != GzipSource.magic else {
      throw unfollowed(path, "is compressed")
    }
    return file
  }

  private static func unfollowed(_ path: String, _ what: String) -> Failure {
    Failure(
      .badUsage, "'\(Visible.line(path))' \(what) and cannot be followed", input: path,
      nextStep: "read it without --follow")
  }

  /// Opens the file again, and waits for it while there is none.
  private static func reopened(
    _ path: String, _ changes: FileWatch
  ) throws(Failure) -> Descriptor {
    while true {
      do throws(Failure) {
        return try opened(path)
      } catch {
        guard error.code == .notFound else { throw error }
      }
      _ = try changes.hasChanged(within: longestWait)
    }
  }

  /// The state of the file at the position up to which it was read.
  private enum State { case more, end, over }

  private var state: State {
    guard let size = file.status()?.st_size, size >= position else { return .over }
    if size > position { return .more }
    // A file that was renamed may still be written to until another one takes its name.
    var named = stat()
    guard stat(name, &named) == 0, let own = file.status() else { return .end }
    guard (own.st_dev, own.st_ino) != (named.st_dev, named.st_ino) else { return .end }
    return own.st_size > position ? .more : .over
  }

  /// Waits for bytes after the position; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    let end = milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(milliseconds)
    while state == .end {
      let left = end.map { max(0, ($0 - .now) / .milliseconds(1)) } ?? .infinity
      guard left > 0 else { return false }
      let wait = min(left.rounded(.up), Double(Self.longestWait))
      _ = try changes.hasChanged(within: Int32(wait))
    }
    return true
  }

  /// Reads the bytes after the position; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      _ = try isReady(within: -1)
      guard state == .more else { return 0 }
      let count = pread(file.number, buffer.baseAddress, buffer.count, position)
      guard count >= 0 else {
        let reason = String(cString: strerror(errno))
        throw Failure(
          .storageFailed, "cannot read '\(Visible.line(name))': \(reason)", input: name)
      }
      position += off_t(count)
      // A file that was truncated since then has nothing at the position.
      if count > 0 { return count }
    }
  }
}
