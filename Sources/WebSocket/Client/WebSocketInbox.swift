import Core
import Foundation
import NIOCore
import Processes
import Synchronization

/// What stands between the event loop of a client's connection and the one thread that waits for it.
///
/// It is bounded: past ``limit`` bytes the loop is asked to read no more until half of them are
/// taken.
final class WebSocketInbox: Sendable {
  private struct State {
    var outcome: Result<WebSocketConnection, Failure>?
    var channel: (any Channel)?
    var isAbandoned = false
    var queue: [WebSocketMessage] = []
    var first = 0
    var heldBytes = 0
    var isPaused = false
    var closure: WebSocketClosure?
    var isWaitedFor = false
    var lastHeard = ContinuousClock.now
  }

  private let limit: Int
  private let state = Mutex(State())
  /// Holds a byte when somebody waits and something came.
  private let ends: PipeEnds

  /// An empty one.
  init(limit: Int) throws(Failure) {
    self.limit = limit
    ends = try PipeEnds()
  }

  // MARK: The event loop's side

  /// Tells how the handshake ended; the first word stays.
  func settle(_ outcome: Result<WebSocketConnection, Failure>) {
    change { state in if state.outcome == nil { state.outcome = outcome } }
  }

  /// The channel that the handshake runs in: closed at once when nobody waits any more.
  func attach(_ channel: any Channel) {
    let isAbandoned = state.withLock { state in
      state.channel = channel
      return state.isAbandoned
    }
    if isAbandoned { channel.close(promise: nil) }
  }

  /// Notes that bytes came.
  func hear() {
    state.withLock { $0.lastHeard = .now }
  }

  /// Queues a message.
  ///
  /// - Returns: Whether nothing more may be read for now.
  func offer(_ message: WebSocketMessage) -> Bool {
    change { state in
      state.queue.append(message)
      state.heldBytes += message.heldBytes
      state.isPaused = state.heldBytes >= limit
      return state.isPaused
    }
  }

  /// Ends the queue.
  func end(_ closure: WebSocketClosure) {
    change { $0.closure = closure }
  }

  private func change<Value>(_ change: (inout State) -> Value) -> Value {
    let (value, wakes) = state.withLock { state in
      let value = change(&state)
      defer { state.isWaitedFor = false }
      return (value, state.isWaitedFor)
    }
    if wakes {
      var byte: UInt8 = 1
      // The pipe holds thousands of bytes, and one is written for each wait.
      _ = write(ends.writing.number, &byte, 1)
    }
    return value
  }

  // MARK: The waiting thread's side

  /// When bytes came last.
  var lastHeard: ContinuousClock.Instant { state.withLock { $0.lastHeard } }

  /// How the connection ended, or nil.
  var closure: WebSocketClosure? { state.withLock { $0.closure } }

  /// Waits until the handshake ended.
  func outcome(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> Result<WebSocketConnection, Failure>? {
    try wait(within: milliseconds, interruption) { $0.outcome }
  }

  /// Takes the next message, and says whether a connection that was paused may go on.
  func next(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> (message: WebSocketMessage, resumes: Bool)? {
    let limit = limit
    return try wait(within: milliseconds, interruption) { state in
      guard state.first < state.queue.count else {
        return state.closure.map { (.closed($0), false) }
      }
      let message = state.queue[state.first]
      state.first += 1
      state.heldBytes -= message.heldBytes
      if state.first == state.queue.count {
        state.queue.removeAll(keepingCapacity: state.queue.count < 1024)
        state.first = 0
      } else if state.first >= 1024 {
        state.queue.removeFirst(state.first)
        state.first = 0
      }
      let resumes = state.isPaused && state.heldBytes <= limit / 2
      if resumes { state.isPaused = false }
      return (message, resumes)
    }
  }

  /// Waits for the end alone, whoever asked the process to end.
  func end(within milliseconds: Int32) {
    let nobody = Interruption()
    // Only an interruption makes it throw.
    _ = try? wait(within: milliseconds, nobody) { $0.closure }
  }

  /// Gives up the handshake.
  func abandon() {
    let channel = state.withLock { state in
      state.isAbandoned = true
      return state.channel
    }
    channel?.close(promise: nil)
  }

  private func wait<Value>(
    within milliseconds: Int32, _ interruption: Interruption,
    for look: (inout sending State) -> Value?
  ) throws(Failure) -> Value? {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .milliseconds(Int64(milliseconds)))
    while true {
      if interruption.signal != nil { throw interruption.failure }
      let value = state.withLock { state in
        let value = look(&state)
        state.isWaitedFor = value == nil
        return value
      }
      if let value { return value }
      var left: Int32 = -1
      if milliseconds >= 0 {
        let rest = clock.now.duration(to: deadline)
        guard rest > .zero else { return nil }
        left = Int32(clamping: Int64((rest / .milliseconds(1)).rounded(.up)))
      }
      if try interruption.isReadable(ends.reading.number, within: left) { drain() }
    }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    // It is readable, and one byte is enough.
    _ = read(ends.reading.number, &bytes, bytes.count)
  }
}
