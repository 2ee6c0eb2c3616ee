import Foundation
import Synchronization

/// A thread with a stack that is large enough for the allowed nesting of schemas and values.
enum DeepStack {
  /// The size of the stack in bytes.
  ///
  /// Each of 1,500 nested schemas needs about 5 KiB.
  static let bytes = 16 << 20

  private final class Place<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Runs the given closure on a separate thread, and returns its result once it has ended.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
    let place = Place<Value>()
    let thread = Thread {
      let value = work()
      place.value.withLock { $0 = value }
      place.isDone.signal()
    }
    thread.stackSize = bytes
    thread.start()
    while true {
      place.isDone.wait()
      if let value = place.value.withLock({ $0 }) { return value }
    }
  }
}
