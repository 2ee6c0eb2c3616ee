import Core
import Synchronization

/// The queue of events from the network thread to the task that reads a response.
///
/// The queue is bounded. If it holds more than ``limit`` bytes, ``offer(_:)`` tells the network
/// thread to pause the transfer. ``next()`` reports when the transfer may resume.
final class Mailbox: Sendable {
  /// A step of the response, as the reader receives it.
  enum Step: Sendable {
    case event(HTTPEvent)
    case failed(Failure)
    case finished
  }

  /// The answer to an event that was offered to the queue.
  enum Acceptance {
    case accepted, pause, abandoned
  }

  fileprivate struct State {
    var queue: [Step] = []
    var first = 0
    var heldBytes = 0
    var isPaused = false
    var isClosed = false
    var waiter: CheckedContinuation<Step, Never>?
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates an empty queue with an approximate limit in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  // MARK: The network thread's side

  /// Queues the given event.
  ///
  /// If the reader is waiting, it receives the event at once.
  func offer(_ event: HTTPEvent) -> Acceptance {
    let size = event.heldBytes
    let (waiter, acceptance) = state.withLock { state -> (Waiter?, Acceptance) in
      if state.isClosed { return (nil, .abandoned) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, .accepted)
      }
      if state.heldBytes > limit {
        state.isPaused = true
        return (nil, .pause)
      }
      state.queue.append(.event(event))
      state.heldBytes += size
      return (nil, .accepted)
    }
    waiter?.resume(returning: .event(event))
    return acceptance
  }

  /// Closes the queue.
  ///
  /// The last step is `last`. All later steps are `finished`.
  func finish(_ last: Step) {
    let waiter = state.withLock { state -> Waiter? in
      if state.isClosed { return nil }
      state.isClosed = true
      guard let waiter = state.waiter else {
        state.queue.append(last)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: last)
  }

  // MARK: The reader's side

  /// Returns the next step; nil if there is none yet.
  ///
  /// The flag is `true` if a paused transfer may resume.
  func next() -> (step: Step?, resumes: Bool) {
    state.withLock { state in
      guard let step = state.next() else { return (nil, false) }
      let resumes = state.isPaused && state.heldBytes <= limit / 2
      if resumes { state.isPaused = false }
      return (step, resumes)
    }
  }

  /// Returns the next step, waiting until there is one.
  ///
  /// A second concurrent reader gets `finished`.
  func wait() async -> Step {
    await withCheckedContinuation { continuation in
      let step = state.withLock { state -> Step? in
        if let step = state.next() { return step }
        if state.waiter != nil { return .finished }
        state.waiter = continuation
        return nil
      }
      if let step { continuation.resume(returning: step) }
    }
  }

  /// Discards the queued events and refuses further events.
  ///
  /// A waiting reader gets `Interrupted`.
  ///
  /// - Returns: `true` if the transfer had not finished and must be aborted.
  func abandon() -> Bool {
    let (waiter, wasOpen) = state.withLock { state -> (Waiter?, Bool) in
      guard !state.isClosed else { return (nil, false) }
      let waiter = state.waiter
      state = State(isClosed: true)
      if waiter == nil { state.queue = [.failed(.cancelledTransfer)] }
      return (waiter, true)
    }
    waiter?.resume(returning: .failed(.cancelledTransfer))
    return wasOpen
  }

  private typealias Waiter = CheckedContinuation<Step, Never>
}

extension Mailbox.State {
  /// Removes and returns the first step.
  ///
  /// If the queue is closed and empty, the step is `finished`.
  mutating func next() -> Mailbox.Step? {
    guard first < queue.count else { return isClosed ? .finished : nil }
    let step = queue[first]
    first += 1
    if case .event(let event) = step { heldBytes -= event.heldBytes }
    if first == queue.count {
      queue.removeAll(keepingCapacity: queue.count < 256)
      first = 0
    } else if first >= 1024 {
      queue.removeFirst(first)
      first = 0
    }
    return step
  }
}

extension HTTPEvent {
  /// The approximate number of bytes of memory that the queued event uses.
  fileprivate var heldBytes: Int {
    if case .body(let bytes) = self { bytes.count + 64 } else { 64 }
  }
}
