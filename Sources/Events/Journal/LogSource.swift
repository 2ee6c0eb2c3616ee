public import Core

/// The event log of this machine, each event as the line that it is in a stream.
public final class LogSource: EventSource {
  /// What messages call it.
  public let name = "<events>"
  private let journal: EventJournal
  private let wakeUp: EventWakeUp?
  /// The id read last.
  private var last: String?
  private var waiting: ArraySlice<UInt8> = []

  /// Events that are read at once.
  private static let batch = 1000

  /// Begins at the oldest event, or after one that was read before.
  ///
  /// - Parameters:
  ///   - journal: The log.
  ///   - last: The id read last; where its log is gone, a gap tells so.
  ///   - follows: Whether what is logged later is read too, without an end.
  ///   - interruption: Ends a wait.
  /// - Throws: `StorageFailed`.
  public init(
    _ journal: EventJournal, after last: String? = nil, follows: Bool,
    interruption: Interruption = Interruption()
  ) throws(Failure) {
    self.journal = journal
    self.last = last
    // Who follows may be there before the first event.
    wakeUp = follows ? try journal.wakeUp(interruption) : nil
  }

  /// Waits until something was logged; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    try fill()
    guard waiting.isEmpty, let wakeUp else { return true }
    while try wakeUp.mayHaveMore(within: milliseconds) {
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
      // What took the place of the log is none: that much is told before it is told why.
      guard error.kind == .corrupt, wakeUp != nil, let lost = last else { throw error }
      let gap = Gap(ts: Timestamp.now.milliseconds, from: lost, reason: .epoch)
      waiting = try gap.line()[...] + [0x0A]
      last = nil
      return
    }
    var lines: [UInt8] = []
    // Where another log has nothing yet, the gap is told with its first event.
    if let gap = batch.gap, batch.last != nil { lines += try gap.line() + [0x0A] }
    for entry in batch.entries {
      lines += entry.bytes
      lines.append(0x0A)
    }
    last = batch.last ?? last
    waiting = lines[...]
  }
}
