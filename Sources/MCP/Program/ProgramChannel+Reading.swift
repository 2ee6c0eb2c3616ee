import Core
import Foundation
import Processes
import Synchronization

extension ProgramChannel {
  /// The maximum length of a message in bytes.
  private static let maximumLength = 16 << 20
  /// The maximum number of requests of the server that have no reply yet.
  private static let maximumQuestions = 64

  /// Starts the thread that reads the program's output to its end.
  func readMessages() {
    reading.enter()
    Thread.detachNewThread { [weak self, program, reading] in
      defer { reading.leave() }
      var lines = MessageLines(limit: Self.maximumLength)
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while let count = program.read(into: &piece), count > 0 {
        let isWithinLimit = lines.take(piece[..<count]) { self?.take($0) }
        guard isWithinLimit else {
          self?.breakOff(
            "sent a message of more than \(Self.maximumLength >> 20) MiB", kind: .tooLarge)
          break
        }
        if self?.state.withLock(\.isBroken) ?? false { break }
      }
      self?.finish()
    }
  }

  /// Handles a line of the program's output.
  private func take(_ line: [UInt8]) {
    guard let messages = MCPMessage.read(line), !messages.isEmpty else { return refuse(line) }
    for message in messages {
      switch message {
      case .answer(.int(let id)?, let reply): settle(id, .success(reply))
      case .answer: break
      case .incoming(nil, .notification("notifications/progress", let params)): progress(params)
      case .incoming(nil, _): break
      case .incoming(let id?, let incoming): answer(incoming, id)
      }
    }
  }

  /// Ends the waits for the answers in the given line, which are malformed or nested too deeply.
  ///
  /// A line without an awaited answer is skipped.
  private func refuse(_ line: [UInt8]) {
    let ids = UnreadableAnswers(line).ids
    let awaited = state.withLock { state in
      let awaited = ids.compactMap { id in state.pending[id].map { (id, $0.request.method) } }
      if awaited.isEmpty { state.skipped += 1 }
      return awaited
    }
    for (id, method) in awaited {
      settle(
        id,
        .failure(
          Failure(
            .invalidResponse,
            "'\(name)' sent an answer to '\(method)' that is malformed or nested too deeply")))
    }
  }

  private func progress(_ params: [String: JSONValue]) {
    guard let token = params["progressToken"] else { return }
    let receiver = state.withLock { state -> (Int, PendingRequest)? in
      guard let (id, pending) = state.pending.first(where: { $0.value.progressToken == token })
      else { return nil }
      state.pending[id]?.limit.extend()
      guard !pending.isReporting else { return nil }
      state.pending[id]?.isReporting = true
      return (id, pending)
    }
    guard let (id, pending) = receiver else { return }
    Task { [weak self] in
      _ = await pending.receive(.notification("notifications/progress", params))
      self?.state.withLock { $0.pending[id]?.isReporting = false }
    }
  }

  /// Replies to a request of the server, on behalf of our oldest request.
  private func answer(_ incoming: MCPIncoming, _ id: JSONValue) {
    guard case .request(let method, _) = incoming else { return }
    let isQuestion = method == "elicitation/create"
    let (pending, count) = state.withLock { state in
      state.questions += 1
      state.openQuestions += isQuestion ? 1 : 0
      return (state.pending.min { $0.key < $1.key }?.value, state.questions)
    }
    guard count <= Self.maximumQuestions else {
      return breakOff("sent more than \(Self.maximumQuestions) requests at once")
    }
    Task { [weak self] in
      let reply = await pending?.receive(incoming) ?? .refusal(of: method)
      self?.send(reply, to: id, isQuestion)
    }
  }

  private func send(_ reply: MCPReply, to id: JSONValue, _ isQuestion: Bool) {
    state.withLock { state in
      guard isQuestion else { return }
      state.openQuestions -= 1
      // A person has used up the time of the requests.
      guard case .result = reply else { return }
      for id in state.pending.keys { state.pending[id]?.limit.extend() }
    }
    let text = (try? MCPMessage.text(reply, to: id)) ?? []
    write(text + [0x0A]) { [weak self] in self?.state.withLock { $0.questions -= 1 } }
  }

  // MARK: The end

  /// Ends a connection whose server broke the protocol.
  private func breakOff(_ reason: String, kind: FailureKind? = nil) {
    let failure = Failure(.invalidResponse, "'\(name)' \(reason)", kind: kind)
    state.withLock { state in
      state.end = state.end ?? failure
      state.isBroken = true
    }
    settleAll { _ in failure }
    program.signal(SIGTERM)
  }

  /// Ends the program, whose output has ended, and reports to all requests what is known.
  private func finish() {
    let wasOpen = state.withLock { state in
      defer {
        // The failure of a request that comes later.
        state.end =
          state.end
          ?? (state.hasAnswered
            ? Failure(.networkUnavailable, "'\(name)' has ended", kind: .outputClosed)
            : Failure(
              .toolFailed, "'\(name)' ended before its first answer", kind: .notStarted))
      }
      return state.end == nil
    }
    let ending = program.endInSteps()
    let (hasAnswered, skipped) = state.withLock { ($0.hasAnswered, $0.skipped) }
    if wasOpen { settleAll { loss(of: $0, ending, hasAnswered) } }
    if skipped > 0 {
      report(
        .fault(
          "'\(name)' wrote \(skipped) line\(skipped == 1 ? "" : "s") on standard output that "
            + "\(skipped == 1 ? "is not a message" : "are not messages")"))
    }
  }

  /// Returns the failure of a request that the program's end left without an answer.
  private func loss(
    of pending: PendingRequest, _ ending: ProcessEnding, _ hasAnswered: Bool
  ) -> Failure {
    let cause = program.lastErrorLine.map { Visible.line(String($0.prefix(500))) }
    let words =
      switch ending {
      case .status(let status): "ended with status \(status)"
      case .signal(let number): "was ended by signal \(number)"
      }
    let tail = cause.map { ": \($0)" } ?? ""
    let method = pending.request.method
    if pending.isSent, hasAnswered || !pending.request.isRepeatable {
      return Failure(
        .toolFailed, "'\(name)' \(words) before it answered '\(method)'\(tail)",
        kind: .unknownOutcome, cause: cause,
        nextStep: pending.request.isRepeatable
          ? nil : "find out whether the call ran before you repeat it")
    }
    if hasAnswered {
      return Failure(
        .networkUnavailable, "'\(name)' \(words) before '\(method)' was sent\(tail)",
        kind: .outputClosed, cause: cause)
    }
    return Failure(
      .toolFailed, "'\(name)' \(words) before its first answer\(tail)", kind: .notStarted,
      cause: cause)
  }
}

extension MCPReply {
  /// Returns the reply to a request for which no handler exists.
  static func refusal(of method: String) -> MCPReply {
    method == "ping"
      ? .result([:]) : .error(-32601, "this client does not have the method", nil)
  }
}
