import Core
import Events
import Foundation

/// Reads the log as it grows, on a thread of its own, and gives the ring what comes.
final class LiveTail: Sendable {
  private let journal: EventJournal
  private let ring: LiveRing
  private let links: WebLinks
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)
  private static let batch = 2000

  /// Prepares to read; what has a page is linked to it.
  init(_ journal: EventJournal, into ring: LiveRing, _ links: WebLinks) {
    self.journal = journal
    self.ring = ring
    self.links = links
  }

  /// Begins behind the last event that there is.
  ///
  /// - Throws: `StorageFailed`.
  func begin() throws(Failure) {
    let newest = try journal.ends()?.newest
    if let position = newest.flatMap({ EventPosition($0) }) { ring.begin(after: position) }
    let wakeUp = try journal.wakeUp(end)
    Thread.detachNewThread { [self] in
      work(after: newest, wakeUp)
      isDone.signal()
    }
  }

  /// Ends.
  func close() {
    end.fire(signal: SIGTERM)
    isDone.wait()
  }

  private func work(after newest: String?, _ wakeUp: EventWakeUp) {
    var last = newest
    var hasFailed = false
    while end.signal == nil {
      do throws(Failure) {
        while let batch = try journal.readExisting(after: last, limit: Self.batch),
          let upTo = batch.last, upTo != last
        {
          take(batch, upTo)
          last = upTo
        }
        hasFailed = false
        _ = try wakeUp.mayHaveMore(within: 1000)
      } catch {
        guard end.signal == nil else { return }
        if !hasFailed { Diagnostics.shared.say("events are not read: \(error.explanation)") }
        hasFailed = true
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
  }

  private func take(_ batch: EventBatch, _ last: String) {
    guard let position = EventPosition(last) else { return }
    var lines = links.linked(batch.entries.map(\.line))
    var unnumbered = 0
    if let gap = batch.gap, let line = try? gap.line() {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
      unnumbered = 1
    }
    ring.publish(lines, unnumbered: unnumbered, upTo: position)
  }
}
