import Foundation
import Synchronization

/// A stack that is as deep as schemas and values may be nested, whatever thread asks.
enum DeepStack {
  /// Some 5 KiB for each schema that is followed, 1,500 of them, and room.
  static let bytes = 16 << 20

  private final class Place<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Does some work on a thread of its own, and waits for it.
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
