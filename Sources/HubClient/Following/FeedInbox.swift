import Core
import HTTP
import Processes

/// A buffer between a task that reads an endless response body and the thread that waits for its
/// bytes.
///
/// If the buffer holds more than ``limit`` bytes, the task waits until the thread has read some of
/// them.
final class FeedInbox: Sendable {
  private struct State {
    var head: HTTPHead?
    var bytes: [UInt8] = []
    /// The end of the body; nil if it has not ended yet.
    ///
    /// The inner value is the failure that ended the body, or nil if the body is complete.
    var end: Failure??
    var isClosed = false
    var writer: CheckedContinuation<Void, Never>?
  }

  private static let limit = 1 << 20
  private let state: WaitedState<State>

  /// Creates an empty buffer.
  ///
  /// - Throws: `StorageFailed` if the process has too many files open.
  init() throws(Failure) { state = try WaitedState(State()) }

  // MARK: The task's side

  /// Reads the given response into the buffer until the response ends.
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

  /// Waits until the buffer has room.
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

  /// Waits for the head of the response.
  ///
  /// - Throws: The failure that ended the response before its head; `Interrupted` if the process is
  ///   to end.
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

  /// Waits for bytes and removes them from the buffer.
  ///
  /// - Returns: The bytes, and the end of the body. There are no bytes if the wait timed out or the
  ///   body has ended. The end is nil until all bytes are read.
  /// - Throws: `Interrupted` if the process is to end.
  func read(
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

  /// Closes the buffer.
  ///
  /// A task that waits for room resumes.
  func close() {
    state.withLock { $0.isClosed = true }
    resumeWriter()
  }
}
