import Core
import Events
import Foundation
import Synchronization

/// Reads the log as it grows, on a thread of its own, and gives the ring what comes.
final class LiveTail: Sendable {
  /// The event that was given last.
  private struct Position {
    var last: String?
    var hasBegun = false
  }

  private let journal: EventJournal
  private let ring: LiveRing
  private let links: WebLinks
  private let note: Note
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)
  private let position = Mutex(Position())
  /// Whether somebody wrote while the thread was looking, perhaps too late for it to see.
  private let mayBeBehind = Atomic<Bool>(false)
  private static let batch = 2000

  /// Prepares to read; what has a page is linked to it.
  init(
    _ journal: EventJournal, into ring: LiveRing, _ links: WebLinks, note: @escaping Note
  ) {
    self.journal = journal
    self.ring = ring
    self.links = links
    self.note = note
  }

  /// Begins behind the last event that there is.
  ///
  /// - Throws: `StorageFailed`.
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

  /// Ends.
  func close() {
    end.fire(signal: SIGTERM)
    isDone.wait()
  }

  /// Looks for events now, for who has just written some, and is told of them sooner than the thread
  /// is; leaves them to that where it is looking.
  func look() {
    mayBeBehind.store(true, ordering: .sequentiallyConsistent)
    position.withLockIfAvailable { position in
      mayBeBehind.store(false, ordering: .sequentiallyConsistent)
      // What went wrong, the thread finds out and tells.
      try? giveAll(after: &position)
    }
  }

  private func work(_ wakeUp: EventWakeUp) {
    var hasFailed = false
    while end.signal == nil {
      do throws(Failure) {
        repeat {
          try position.withLock { (position) throws(Failure) in try giveAll(after: &position) }
        } while mayBeBehind.exchange(false, ordering: .sequentiallyConsistent)
        hasFailed = false
        _ = try wakeUp.mayHaveMore(within: 1000)
      } catch {
        guard end.signal == nil else { return }
        if !hasFailed { note("cannot read events: \(error.explanation)") }
        hasFailed = true
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
  }

  private func giveAll(after position: inout Position) throws(Failure) {
    guard position.hasBegun else { return }
    while let batch = try journal.readExisting(after: position.last, limit: Self.batch),
      let upTo = batch.last, upTo != position.last
    {
      take(batch, upTo)
      position.last = upTo
    }
  }

  private func take(_ batch: EventBatch, _ last: String) {
    guard let position = EventPosition(last) else { return }
    var lines = links.linked(batch.entries.map(\.line))
    if let line = try? batch.gap?.line() {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
    }
    ring.publish(lines, upTo: position)
  }
}
