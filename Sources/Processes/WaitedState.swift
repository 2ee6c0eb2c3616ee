public import Core
import Foundation
import Synchronization

/// State that several tasks and threads change, and for whose changes one thread waits.
public final class WaitedState<State: Sendable>: Sendable {
  private struct Shared {
    var state: State
    var isWaitedFor = false
  }

  private let shared: Mutex<Shared>
  /// The pipe that wakes the waiting thread.
  ///
  /// It contains a byte if the state has changed since the wait began.
  private let ends: PipeEnds

  /// Creates a value with the given initial state.
  ///
  /// - Throws: `StorageFailed` if the process has too many files open.
  public init(_ state: State) throws(Failure) {
    ends = try PipeEnds()
    shared = Mutex(Shared(state: state))
  }

  /// Reads or changes the state without waking the waiting thread.
  ///
  /// - Returns: The value that the closure returns.
  public func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    shared.withLock { body(&$0.state) }
  }

  /// Changes the state, and wakes the waiting thread.
  ///
  /// - Returns: The value that the closure returns.
  @discardableResult
  public func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, wakes) = shared.withLock { shared in
      defer { shared.isWaitedFor = false }
      return (body(&shared.state), shared.isWaitedFor)
    }
    if wakes {
      var byte: UInt8 = 1
      // The write cannot block, because only one byte is written for each wait.
      _ = write(ends.writing.number, &byte, 1)
    }
    return value
  }

  /// Waits until `look` returns a value other than nil.
  ///
  /// Only one thread may wait at a time.
  ///
  /// - Parameters:
  ///   - milliseconds: The maximum wait; a negative number waits without limit.
  ///   - interruption: The interruption that ends the wait.
  ///   - look: A closure that examines the state. It returns nil to continue the wait.
  /// - Returns: The value that `look` returned; nil if the time expired.
  /// - Throws: `Interrupted` if the wait was interrupted.
  public func wait<Value: Sendable>(
    within milliseconds: Int32, _ interruption: Interruption, for look: (inout State) -> Value?
  ) throws(Failure) -> Value? {
    let end = ContinuousClock.now + .milliseconds(Int64(max(0, milliseconds)))
    while true {
      if interruption.signal != nil { throw interruption.failure }
      let value = shared.withLock { shared in
        let value = look(&shared.state)
        shared.isWaitedFor = value == nil
        return value
      }
      if let value { return value }
      var left: Int32 = -1
      if milliseconds >= 0 {
        guard ContinuousClock.now < end else { return nil }
        left = Int32(clamping: Int64(((end - .now) / .milliseconds(1)).rounded(.up)))
      }
      guard try interruption.isReadable(ends.reading.number, within: left) else { continue }
      var bytes = [UInt8](repeating: 0, count: 64)
      // The pipe is readable, and reading one byte is enough.
      _ = read(ends.reading.number, &bytes, bytes.count)
    }
  }
}
