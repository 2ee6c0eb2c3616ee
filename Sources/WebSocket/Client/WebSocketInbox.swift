import Core
import NIOCore
import Processes

/// A buffer between the event loop of a client's connection and the thread that receives messages.
///
/// If the buffered messages exceed ``limit`` bytes, the event loop stops reading until half of them
/// have been received.
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
    var lastHeard = ContinuousClock.now
  }

  private let limit: Int
  private let state: WaitedState<State>

  /// Creates an empty inbox.
  init(limit: Int) throws(Failure) {
    self.limit = limit
    state = try WaitedState(State())
  }

  // MARK: The event loop's side

  /// Stores the given outcome of the handshake, unless there already is one.
  func settle(_ outcome: Result<WebSocketConnection, Failure>) {
    state.change { state in if state.outcome == nil { state.outcome = outcome } }
  }

  /// Stores the channel of the handshake.
  ///
  /// If the handshake was abandoned, closes the channel instead.
  func attach(_ channel: any Channel) {
    let isAbandoned = state.withLock { state in
      state.channel = channel
      return state.isAbandoned
    }
    if isAbandoned { channel.close(promise: nil) }
  }

  /// Records that bytes have arrived just now.
  func hear() {
    state.withLock { $0.lastHeard = .now }
  }

  /// Queues the given message.
  ///
  /// - Returns: `true` if the event loop must stop reading.
  func offer(_ message: WebSocketMessage) -> Bool {
    state.change { state in
      state.queue.append(message)
      state.heldBytes += message.heldBytes
      state.isPaused = state.heldBytes >= limit
      return state.isPaused
    }
  }

  /// Records that the connection ended.
  ///
  /// The end is received after the queued messages.
  func end(_ closure: WebSocketClosure) {
    state.change { $0.closure = closure }
  }

  // MARK: The waiting thread's side

  /// The time at which bytes last arrived.
  var lastHeard: ContinuousClock.Instant { state.withLock { $0.lastHeard } }

  /// The code and the reason with which the connection ended; nil while it is open.
  var closure: WebSocketClosure? { state.withLock { $0.closure } }

  /// Waits until the handshake ends, and returns its outcome; nil if the wait timed out.
  func outcome(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> Result<WebSocketConnection, Failure>? {
    try state.wait(within: milliseconds, interruption) { $0.outcome }
  }

  /// Waits for the next message and removes it from the queue.
  ///
  /// - Returns: The message, and `true` if the event loop must resume reading; nil if the wait
  ///   timed out.
  func next(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> (message: WebSocketMessage, resumes: Bool)? {
    let limit = limit
    return try state.wait(within: milliseconds, interruption) { state in
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

  /// Waits until the connection ends.
  ///
  /// An interruption does not end this wait.
  func end(within milliseconds: Int32) {
    let nobody = Interruption()
    // Only an interruption could throw, and this one never occurs.
    _ = try? state.wait(within: milliseconds, nobody) { $0.closure }
  }

  /// Abandons the handshake and closes its channel.
  func abandon() {
    let channel = state.withLock { state in
      state.isAbandoned = true
      return state.channel
    }
    channel?.close(promise: nil)
  }
}
