import Core
import HTTP
import Processes

/// What stands between the task that reads a body without an end and the one thread that waits for it.
///
/// It is bounded: past ``limit`` bytes the task waits until they are taken.
final class FeedInbox: Sendable {
  private struct State {
    var head: HTTPHead?
    var bytes: [UInt8] = []
    /// Why there is nothing more; nil in a success for a body that is whole.
    var end: Failure??
    var isClosed = false
    var writer: CheckedContinuation<Void, Never>?
  }

  private static let limit = 1 << 20
  private let state: WaitedState<State>

  /// An empty one.
  ///
  /// - Throws: `StorageFailed` when the process has too many files open.
  init() throws(Failure) { state = try WaitedState(State()) }

  // MARK: The task's side

  /// Reads an answer to its end.
  func fill(from answer: AsyncThrowingStream<HTTPEvent, any Error>) async {
    do {
      for try await event in answer {
        switch event {
        case .head(let head): state.change { $0.head = head }
        case .body(let bytes):
          state.change { $0.bytes += bytes }
          await room()
        case .end: break
        }
      }
      state.change { $0.end = .some(nil) }
    } catch {
      state.change { $0.end = .some(error as? Failure) }
    }
  }

  /// Waits until there is room for more.
  private func room() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFree = state.withLock { state in
        let isFree = state.bytes.count < Self.limit || state.isClosed
        if !isFree { state.writer = continuation }
        return isFree
      }
      if isFree { continuation.resume() }
    }
  }

  // MARK: The waiting thread's side

  /// Waits for the head of the answer.
  ///
  /// - Throws: What ended the answer before it; `Interrupted`.
  func head(_ interruption: Interruption) throws(Failure) -> HTTPHead? {
    let found = try state.wait(within: -1, interruption) { state -> Result<HTTPHead?, Failure>? in
      if let head = state.head { return .success(head) }
      guard let end = state.end else { return nil }
      if let failure = end { return .failure(failure) }
      return .success(nil)
    }
    guard let found else { return nil }
    return try found.get()
  }

  /// Waits for bytes, and takes them.
  ///
  /// - Returns: The bytes, nothing when none came in time; or the end, with what caused it.
  /// - Throws: `Interrupted`.
  func take(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> (bytes: [UInt8], end: Failure??) {
    let taken = try state.wait(within: milliseconds, interruption) { state -> Taken? in
      guard state.bytes.isEmpty else {
        defer { state.bytes = [] }
        return Taken(bytes: state.bytes, end: nil)
      }
      guard let end = state.end else { return nil }
      return Taken(bytes: [], end: .some(end))
    }
    resumeWriter()
    guard let taken else { return ([], nil) }
    return (taken.bytes, taken.end)
  }

  private struct Taken {
    var bytes: [UInt8]
    var end: Failure??
  }

  private func resumeWriter() {
    let writer = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state.writer = nil }
      return state.writer
    }
    writer?.resume()
  }

  /// Lets the task go that may wait for room.
  func close() {
    state.withLock { $0.isClosed = true }
    resumeWriter()
  }
}
