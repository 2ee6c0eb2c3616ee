import Foundation
import Synchronization

/// A queue of messages to one waiting thread.
///
/// Several threads may add messages.
final class Inbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let count = DispatchSemaphore(value: 0)

  /// Adds the given message.
  func add(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.signal()
  }

  /// Waits for the next message and returns it; returns nil if none arrives before `end`.
  func next(until end: ContinuousClock.Instant) -> Message? {
    let left = max(0, (end - .now) / .milliseconds(1))
    guard count.wait(timeout: .now() + .milliseconds(Int(min(left.rounded(.up), 1e9)))) == .success
    else { return nil }
    return messages.withLock { $0.removeFirst() }
  }
}
