public import Core
import Foundation

/// The event log of this machine, each event as the line that it is in a stream.
public final class LogSource: EventSource {
  /// What messages call it.
  public let name = "<events>"
  private let directories: Directories
  private let watch: FileWatch?
  private var log: EventLog?
  /// The id read last.
  private var last: String?
  private var waiting: ArraySlice<UInt8> = []

  /// Events that are read at once.
  private static let batch = 1000

  /// Opens the log.
  ///
  /// - Parameters:
  ///   - directories: Where it is.
  ///   - follows: Whether what is logged later is read too, without an end.
  ///   - interruption: Ends a wait.
  /// - Throws: `StorageFailed`.
  public init(
    _ directories: Directories, follows: Bool, interruption: Interruption = Interruption()
  ) throws(Failure) {
    self.directories = directories
    if follows {
      // Who follows may be there before the first event.
      log = try EventLog(directories)
      watch = try FileWatch(folder: directories.data, interruption: interruption)
    } else {
      watch = nil
    }
  }

  /// Waits until something was logged; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    try fill()
    guard waiting.isEmpty, let watch else { return true }
    while try watch.hasChanged(within: milliseconds) {
      try fill()
      if !waiting.isEmpty { return true }
      // The writer of a change may not have committed it yet; that will be a change too.
      if milliseconds >= 0 { return false }
    }
    return false
  }

  /// Reads whole lines as far as there is room; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while waiting.isEmpty {
      try fill()
      guard waiting.isEmpty else { break }
      guard let watch else { return 0 }
      _ = try watch.hasChanged(within: -1)
    }
    let count = min(waiting.count, buffer.count)
    buffer.copyBytes(from: waiting.prefix(count))
    waiting = waiting.dropFirst(count)
    return count
  }

  private func fill() throws(Failure) {
    // A log that was removed, and one that was cut to nothing, is made anew by whoever adds to it.
    guard waiting.isEmpty, Self.isThere(directories) else { return }
    if log == nil { log = try EventLog(directories) }
    let batch: EventLog.Batch
    do throws(Failure) {
      guard let read = try read() else { return }
      batch = read
    } catch {
      // What took the place of the log is none: that much is told before it is told why.
      guard error.kind == "corrupt", watch != nil, let lost = last else { throw error }
      let gap = Gap(ts: Timestamp.now.milliseconds, from: lost, reason: .epoch)
      waiting = try gap.line()[...] + [0x0A]
      last = nil
      return
    }
    var lines: [UInt8] = []
    // Where another log has nothing yet, the gap is told with its first event.
    if let gap = batch.gap, batch.last != nil { lines += try gap.line() + [0x0A] }
    for entry in batch.entries {
      lines += entry.line.utf8
      lines.append(0x0A)
    }
    last = batch.last ?? last
    waiting = lines[...]
  }

  /// Reads on; once more where the log may have become another one just then.
  private func read() throws(Failure) -> EventLog.Batch? {
    do throws(Failure) {
      return try log?.read(after: last, limit: Self.batch)
    } catch {
      guard Self.isThere(directories) else { return nil }
      return try log?.read(after: last, limit: Self.batch)
    }
  }

  private static func isThere(_ directories: Directories) -> Bool {
    var status = stat()
    return stat(EventLog.path(directories), &status) == 0 && status.st_size > 0
  }
}
