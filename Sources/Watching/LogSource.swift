public import Core
import Foundation

/// The event log of this machine, each event as the line that it is in a stream.
public final class LogSource: EventSource {
  /// What messages call it.
  public let name = "<events>"
  private let directories: Directories
  private let watch: FileWatch?
  private var log: EventLog?
  /// The file that is open: one that was removed and made anew is another one.
  private var opened: ino_t = 0
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
      opened = Self.file(directories) ?? 0
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
    guard waiting.isEmpty, let file = Self.file(directories) else { return }
    if log == nil || file != opened {
      log = try EventLog(directories)
      opened = file
    }
    guard let batch = try log?.read(after: last, limit: Self.batch) else { return }
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

  private static func file(_ directories: Directories) -> ino_t? {
    var status = stat()
    return stat(EventLog.path(directories), &status) == 0 ? status.st_ino : nil
  }
}
