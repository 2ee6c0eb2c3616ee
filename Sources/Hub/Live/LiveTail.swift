import Core
import Events
import Foundation
import Synchronization

/// A reader that follows the log on a separate thread and publishes new events to the ring.
final class LiveTail: Sendable {
  /// The position of the last published event.
  private struct Position {
    var last: String?
    var hasBegun = false
  }

  private let journal: EventJournal
  private let ring: LiveRing
  private let links: WebLinks
  private let report: NoticeHandler
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)
  private let position = Mutex(Position())
  /// `true` if events were written while the thread was reading.
  ///
  /// The thread may have missed them.
  private let mayBeBehind = Atomic<Bool>(false)
  private static let batch = 2000

  /// Creates a reader that publishes events to `ring`, with the given links added.
  init(
    _ journal: EventJournal, into ring: LiveRing, _ links: WebLinks, report: @escaping NoticeHandler
  ) {
    self.journal = journal
    self.ring = ring
    self.links = links
    self.report = report
  }

  /// Starts to follow the log after its last event.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  func begin() throws(Failure) {
    let newest = try journal.ends()?.newest
    if let position = newest.flatMap({ EventPosition($0) }) { ring.begin(after: position) }
    let wakeUp = try journal.wakeUp(end)
    position.withLock { $0 = Position(last: newest, hasBegun: true) }
    Thread.detachNewThread { [self] in
      work(wakeUp)
      isDone.signal()
    }
  }

  /// Stops the thread.
  func close() {
    end.fire(signal: SIGTERM)
    isDone.wait()
  }

  /// Publishes new events at once; has no effect while the thread is reading.
  ///
  /// It is called by a writer that has just written events.
  func readNow() {
    mayBeBehind.store(true, ordering: .sequentiallyConsistent)
    position.withLockIfAvailable { position in
      mayBeBehind.store(false, ordering: .sequentiallyConsistent)
      // If this fails, the thread tries again and reports the failure.
      try? publishAll(after: &position)
    }
  }

  private func work(_ wakeUp: EventWakeUp) {
    var hasFailed = false
    while end.signal == nil {
      do throws(Failure) {
        repeat {
          try position.withLock { (position) throws(Failure) in try publishAll(after: &position) }
        } while mayBeBehind.exchange(false, ordering: .sequentiallyConsistent)
        hasFailed = false
        _ = try wakeUp.mayHaveMore(within: 1000)
      } catch {
        guard end.signal == nil else { return }
        if !hasFailed { report("cannot read events: \(error.explanation)") }
        hasFailed = true
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
  }

  private func publishAll(after position: inout Position) throws(Failure) {
    guard position.hasBegun else { return }
    while let batch = try journal.readExisting(after: position.last, limit: Self.batch),
      let upTo = batch.last, upTo != position.last
    {
      publish(batch, upTo)
      position.last = upTo
    }
  }

  private func publish(_ batch: EventBatch, _ last: String) {
    guard let position = EventPosition(last) else { return }
    var lines = links.linked(batch.entries.map(\.line))
    if let line = try? batch.gap?.line() {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
    }
    ring.publish(lines, upTo: position)
  }
}
