import Foundation
import Synchronization

/// Ends the process when one document takes too long: whatever hangs would hang for ever.
public final class FuzzWatch: Sendable {
  private let work = Mutex<(name: String, end: ContinuousClock.Instant)?>(nil)
  private let limit: Duration

  /// Allows each document so much time; a build that looks for faults in memory is many times slower.
  public init(limit: Duration) {
    self.limit = limit
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 1)
        work.withLock { work in
          guard let work, ContinuousClock.now > work.end else { return }
          print("\(work.name) takes more than \(limit)")
          exit(3)
        }
      }
    }
  }

  /// Does the work under the watch.
  public func watching<Value>(_ name: String, _ work: () -> Value) -> Value {
    self.work.withLock { $0 = (name, .now + limit) }
    defer { self.work.withLock { $0 = nil } }
    return work()
  }
}
