import Foundation
import Synchronization

/// A thread whose stack is large enough for the allowed nesting of schemas and values.
enum DeepStack {
  /// The size of the stack: about 5 KiB for each of 1,500 nested schemas, and some reserve.
  static let bytes = 16 << 20

  private final class Place<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Runs the given closure on a separate thread, waits for it, and returns its result.
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
