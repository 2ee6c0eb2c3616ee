package import Core
import Foundation
package import Processes
import Synchronization

/// A connection to a program that was started, over its standard streams: one message a line.
///
/// The program has a process group of its own, and no shell starts it. Requests run side by side;
/// answers arrive in any order.
package final class ProgramChannel: MCPChannel {
  struct State {
    var lastId = 0
    var pending: [Int: PendingRequest] = [:]
    /// The reason why no further request can be sent.
    var end: Failure?
    /// `true` if the server broke the protocol, so that nothing more is read.
    var isBroken = false
    /// `true` once the server has answered a request.
    var hasAnswered = false
    /// The number of lines that were not messages.
    var skipped = 0
    /// The number of requests of the server that have no reply yet.
    var questions = 0
    /// The number of these that wait for a person.
    var openQuestions = 0
  }

  /// The server's name, as failures mention it.
  let name: String
  let program: Program
  let report: @Sendable (MCPNote) -> Void
  let state = Mutex(State())
  /// Is left once the program's output was read to its end.
  let reading = DispatchGroup()
  /// Writes messages one after the other, so that a slow server blocks no task.
  let writing = DispatchQueue(label: "mcp-write")

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - name: The server's name, as failures mention it.
  ///   - words: The program, which is looked up in our PATH, and its arguments.
  ///   - environment: Its whole environment.
  ///   - folder: The folder in which it runs; nil for ours.
  ///   - guardian: The guardian that ends it if this process is killed.
  ///   - report: Receives notes.
  /// - Throws: `ToolFailed` of the kind `notStarted`; `StorageFailed` if too many files are open.
  package init(
    _ name: String, _ words: [String], environment: [String: String], folder: String?,
    guardian: Guardian, report: @escaping @Sendable (MCPNote) -> Void
  ) throws(Failure) {
    (self.name, self.report) = (name, report)
    do {
      program = try Program(
        words, environment: .whole(environment),
        errors: .lines { report(.line(Visible.line($0))) }, folder: folder, guardian: guardian)
    } catch {
      guard error.code == .badConfiguration else { throw error }
      throw Failure(
        .toolFailed, "cannot start '\(name)': \(error.explanation)", kind: .notStarted,
        cause: error.explanation)
    }
    readMessages()
  }

  // The program sees the end of its input, and the thread that reads sees the program's end.
  deinit { program.closeInput() }

  /// Sends a request, and waits for its answer.
  package func exchange(
    _ request: MCPRequest, _ revision: MCPRevision?, timeout: Duration,
    receive: @escaping @Sendable (MCPIncoming) async -> MCPReply?
  ) async throws(Failure) -> MCPReply {
    guard !Task.isCancelled else { throw cancelled }
    let id = state.withLock { state in
      state.lastId += 1
      return state.lastId
    }
    let line = try MCPMessage.text(request.method, request.params, id: id) + [0x0A]
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        let pending = PendingRequest(request, timeout: timeout, receive: receive, waiting: waiting)
        begin(id, pending, line)
        // The handler has missed a request whose task was cancelled before.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
    return try result.get()
  }

  /// Sends a notification.
  package func notify(
    _ method: String, _ params: [String: JSONValue], _ revision: MCPRevision?
  ) async throws(Failure) {
    if let end = state.withLock(\.end) { throw end }
    write(try MCPMessage.text(method, params) + [0x0A])
  }

  /// Ends the program in steps, and reports how many lines were skipped.
  package func close() async {
    let isFirst = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = Failure(.interrupted, "the connection to '\(name)' was closed")
      return true
    }
    if isFirst { settleAll { _ in Failure(.interrupted, "the connection was closed") } }
    await Blocking("mcp-close").run { [program, reading] in
      _ = program.endInSteps()
      // A process outside of the group may hold the output open.
      _ = reading.wait(timeout: .now() + .seconds(1))
    }
  }

  // MARK: Requests

  private func begin(_ id: Int, _ pending: PendingRequest, _ line: [UInt8]) {
    let end = state.withLock { state in
      if state.end == nil { state.pending[id] = pending }
      return state.end
    }
    if let end { return pending.waiting.resume(returning: .failure(end)) }
    let timer = Task { [weak self] in
      while let deadline = self?.state.withLock({ $0.pending[id]?.limit.deadline }) {
        if deadline <= .now, self?.endLate(id) ?? true { return }
        try? await Task.sleep(until: max(deadline, .now + .milliseconds(100)), clock: .continuous)
      }
    }
    let isThere = state.withLock { state in
      state.pending[id]?.timer = timer
      return state.pending[id] != nil
    }
    if !isThere { timer.cancel() }
    writing.async { [self] in send(id, line, until: .now + pending.limit.time) }
  }

  /// Writes the given request, unless it was cancelled before.
  private func send(_ id: Int, _ line: [UInt8], until end: ContinuousClock.Instant) {
    let isWanted = state.withLock { state in
      state.pending[id]?.isSent = true
      return state.pending[id] != nil && state.end == nil
    }
    guard isWanted else { return }
    let count = program.send(line, until: end)
    guard count < line.count else { return }
    if count == 0 { state.withLock { $0.pending[id]?.isSent = false } }
    // After a part of a message, or to a program that reads no more, nothing can be sent.
    program.signal(SIGKILL)
  }

  /// Writes the given message after those before it.
  func write(_ line: [UInt8], then done: @escaping @Sendable () -> Void = {}) {
    writing.async { [program] in
      // The thread that reads notices a program that reads no more.
      if !program.write(line, until: .now + .seconds(10)) { program.signal(SIGKILL) }
      done()
    }
  }

  /// Ends a request whose time is over.
  ///
  /// - Returns: `false` if the time was extended, or if a person is asked.
  private func endLate(_ id: Int) -> Bool {
    let late = state.withLock { state -> PendingRequest? in
      guard let pending = state.pending[id], pending.limit.deadline <= .now,
        state.openQuestions == 0
      else { return nil }
      state.pending[id] = nil
      return pending
    }
    guard let late else { return false }
    sendCancellation(of: id, late, "timeout")
    let method = late.request.method
    late.waiting.resume(
      returning: .failure(
        Failure(
          .timeout, "'\(name)' did not answer '\(method)' within \(late.limit.time)", kind: .timeout
        )))
    return true
  }

  private func cancel(_ id: Int) {
    guard let pending = state.withLock({ $0.pending.removeValue(forKey: id) }) else { return }
    pending.timer?.cancel()
    sendCancellation(of: id, pending, "cancelled by the user")
    pending.waiting.resume(returning: .failure(cancelled))
  }

  private var cancelled: Failure {
    Failure(.interrupted, "the request to '\(name)' was cancelled")
  }

  private func sendCancellation(of id: Int, _ pending: PendingRequest, _ reason: String) {
    let params: [String: JSONValue] = ["requestId": .int(id), "reason": .string(reason)]
    guard pending.isSent, pending.isCancellable,
      let text = try? MCPMessage.text("notifications/cancelled", params)
    else { return }
    write(text + [0x0A])
  }

  /// Ends the wait for the answer with the given id; later answers and those to no request are
  /// ignored.
  func settle(_ id: Int, _ result: Result<MCPReply, Failure>) {
    let pending = state.withLock { state in
      let pending = state.pending.removeValue(forKey: id)
      if pending != nil { state.hasAnswered = true }
      return pending
    }
    pending?.timer?.cancel()
    pending?.waiting.resume(returning: result)
  }

  /// Ends all requests with the failure that the closure returns for each.
  func settleAll(_ failure: (PendingRequest) -> Failure) {
    let pending = state.withLock { state in
      defer { state.pending = [:] }
      return state.pending
    }
    for (_, request) in pending.sorted(by: { $0.key < $1.key }) {
      request.timer?.cancel()
      request.waiting.resume(returning: .failure(failure(request)))
    }
  }
}
