import Foundation
import Synchronization

/// Messages of several threads for one that waits for them.
final class Inbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let count = DispatchSemaphore(value: 0)

  /// Leaves a message.
  func add(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.signal()
  }

  /// The next message; nil when none came by then.
  func next(until end: ContinuousClock.Instant) -> Message? {
    let left = max(0, (end - .now) / .milliseconds(1))
    guard count.wait(timeout: .now() + .milliseconds(Int(min(left.rounded(.up), 1e9)))) == .success
    else { return nil }
    return messages.withLock { $0.removeFirst() }
  }
}
