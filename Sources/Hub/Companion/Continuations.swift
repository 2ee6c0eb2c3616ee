import Chats
import Core
import Dispatch
import Foundation
import HubWords
import Synchronization

/// The chats that companions are continuing.
///
/// Each chat is continued with one prompt at a time. An answer is completed and stored even if its
/// reader disconnects, unless the reader's device is revoked.
final class Continuations: Sendable {
  private struct State {
    var running: [String: (task: Task<Void, Never>, opening: Opening)] = [:]
    var isEnding = false
  }

  /// The largest number of chats that are continued at the same time.
  ///
  /// Each may cost money.
  private static let most = 64

  private let openings: Openings
  private let state = Mutex(State())
  private let threads = WorkThreads("hub.chats")

  /// Creates an empty set.
  ///
  /// Answers are entered in the given list of openings.
  init(_ openings: Openings) { self.openings = openings }

  /// Starts an answer in the given chat.
  ///
  /// - Parameters:
  ///   - chatId: The id of the chat.
  ///   - visitor: The companion that asks.
  ///   - offering: Does some work with the tools that the prompt asks for.
  ///   - prepare: Prepares the prompt; called on a thread that may read files.
  /// - Returns: The stream of the answer.
  /// - Throws: `Busy` if the chat is already being continued; `RateLimited` if too many chats are
  ///   being continued; `Overloaded` if the hub is shutting down; the errors of `prepare`.
  func begin(
    _ chatId: String, by visitor: Visitor,
    offering:
      @escaping @Sendable (@Sendable (ChatTools?) async throws(Failure) -> Void)
      async throws(Failure) -> Void,
    _ prepare: @escaping @Sendable (ChatTools?) throws(Failure) -> ChatSending
  ) async throws(Failure) -> CompanionStream {
    let stream = CompanionStream()
    let started = AsyncStream.makeStream(of: Result<Void, Failure>.self)
    let refusal = state.withLock { state -> Failure? in
      guard !state.isEnding else {
        return Failure(.overloaded, "the hub is shutting down", status: 503)
      }
      guard state.running[chatId] == nil else {
        return Failure(
          .busy, "the chat '\(chatId)' is already being answered", status: 409, input: chatId)
      }
      guard state.running.count < Self.most else {
        return Failure(
          .rateLimited, "\(Self.most) chats are being answered, which is the limit",
          retryAfterSeconds: 5)
      }
      // The task does not end if the reader disconnects, so the answer is completed.
      let task = Task.detached(executorPreference: threads) { [self] in
        // The chat is free before the end is reported, since the companion may continue it at once.
        do throws(Failure) {
          try await offering { (tools) async throws(Failure) in
            let sending = try prepare(tools)
            started.continuation.yield(.success(()))
            let last = await Self.send(sending) { stream.yield($0) }
            self.free(chatId)
            stream.yield(last)
          }
        } catch {
          free(chatId)
          started.continuation.yield(.failure(error))
        }
        stream.end()
      }
      let opening = openings.add(.answer, to: visitor) { _ in task.cancel() }
      state.running[chatId] = (task, opening)
      return nil
    }
    if let refusal { throw refusal }
    var results = started.stream.makeAsyncIterator()
    try await results.next()?.get()
    return stream
  }

  private func free(_ chatId: String) {
    let ended = state.withLock { $0.running.removeValue(forKey: chatId) }
    if let ended { openings.close(ended.opening) }
  }

  /// Cancels all answers, and refuses new ones.
  func cancel() {
    let tasks = state.withLock { state in
      state.isEnding = true
      return state.running.values.map(\.task)
    }
    for task in tasks { task.cancel() }
  }

  /// Cancels all answers, and waits until the parts received so far are stored.
  func close() async {
    cancel()
    for task in state.withLock({ $0.running.values.map(\.task) }) { await task.value }
  }

  /// Sends the given prompt to its model.
  ///
  /// - Returns: The last frame of the answer.
  private static func send(
    _ sending: ChatSending, _ deliver: @escaping @Sendable (String) -> Void
  ) async -> String {
    do throws(Failure) {
      let ended = try await sending.send { event in
        switch event {
        case .delta(let delta) where !delta.text.isEmpty:
          deliver(text(of: .delta(id: delta.messageId, text: delta.text)))
        case .restart(let id): deliver(text(of: .restart(id: id)))
        case .delta, .fallback, .toolCall, .toolResult, .ended: break
        }
      }
      guard let message = ended.first else { return error(Failure(.noPlan, "no model answered")) }
      if let failure = message.error { return error(failure) }
      return text(of: .message(CompanionMessage(message)))
    } catch {
      return self.error(error)
    }
  }

  /// Returns the frame that reports the given failure.
  ///
  /// If the hub shuts down, the frame reports that the answer ended early, because the reader did
  /// not interrupt it.
  static func error(_ failure: Failure) -> String {
    let code = failure.code == .interrupted ? .streamInterrupted : failure.code
    return text(
      of: .error(
        Secrets.shown(failure.explanation), action: failure.nextStep.map(Secrets.shown),
        code: code.rawValue))
  }

  /// Returns the given frame as JSON.
  private static func text(of frame: AnswerFrame) -> String { (try? frame.json()) ?? "{}" }
}

/// A task executor whose threads may block on files.
final class WorkThreads: TaskExecutor {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
