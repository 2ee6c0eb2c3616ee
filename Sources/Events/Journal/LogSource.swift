public import Core

/// An event source that reads the event log of this machine.
public final class LogSource: EventSource {
  /// The name of the source in messages.
  public let name = "<events>"
  private let journal: EventJournal
  private let wakeUp: EventWakeUp?
  /// The id of the last event that was read.
  private var last: String?
  private var waiting: ArraySlice<UInt8> = []

  /// The largest number of events in one read.
  private static let batch = 1000

  /// Creates a source that starts after the event with the id `last`, or at the oldest event.
  ///
  /// - Parameters:
  ///   - journal: The log.
  ///   - last: The id of the last event that was read; nil to start at the oldest event. If the log
  ///     of that event was deleted, the source begins with a gap.
  ///   - follows: `true` to wait for new events at the end of the log.
  ///   - interruption: The interruption that ends a wait.
  /// - Throws: `StorageFailed` if `follows` is `true` and the log cannot be opened or watched.
  public init(
    _ journal: EventJournal, after last: String? = nil, follows: Bool,
    interruption: Interruption = Interruption()
  ) throws(Failure) {
    self.journal = journal
    self.last = last
    // A follower may start before the log exists, so it creates the log.
    wakeUp = follows ? try journal.wakeUp(interruption) : nil
  }

  /// Waits until an event is logged; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    try fill()
    guard waiting.isEmpty, let wakeUp else { return true }
    while try wakeUp.mayHaveMore(within: milliseconds) {
      try fill()
      if !waiting.isEmpty { return true }
      // The writer may not have committed its change yet. The commit will be a further change.
      if milliseconds >= 0 { return false }
    }
    return false
  }

  /// Reads lines of events, at most as many bytes as the buffer holds; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while waiting.isEmpty {
      try fill()
      guard waiting.isEmpty else { break }
      guard let wakeUp else { return 0 }
      _ = try wakeUp.mayHaveMore(within: -1)
    }
    let count = min(waiting.count, buffer.count)
    buffer.copyBytes(from: waiting.prefix(count))
    waiting = waiting.dropFirst(count)
    return count
  }

  private func fill() throws(Failure) {
    guard waiting.isEmpty else { return }
    let batch: EventBatch
    do throws(Failure) {
      guard let read = try journal.readExisting(after: last, limit: Self.batch) else { return }
      batch = read
    } catch {
      // The log was replaced by a file that is not a log. The gap is reported before the failure.
      guard error.kind == .corrupt, wakeUp != nil, let lost = last else { throw error }
      let gap = Gap(ts: Timestamp.now.milliseconds, from: lost, reason: .epoch)
      waiting = try gap.line()[...] + [0x0A]
      last = nil
      return
    }
    var lines: [UInt8] = []
    // If the new log is empty, the gap is reported with its first event.
    if let gap = batch.gap, batch.last != nil { lines += try gap.line() + [0x0A] }
    for entry in batch.entries {
      lines += entry.bytes
      lines.append(0x0A)
    }
    last = batch.last ?? last
    waiting = lines[...]
  }
}
