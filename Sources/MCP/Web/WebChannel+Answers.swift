import Core
import HTTP

extension WebChannel {
  /// The number of successive attempts to resume a stream that bring no new event.
  private static let maximumResumptions = 5
  /// The milliseconds before a stream is resumed, if the server names none.
  private static let usualRetry = 1000
  /// The range of milliseconds that a server may name.
  private static let retryRange = 100...3_600_000

  /// Sends the given call, and returns its answer.
  func answer(to call: WebCall) async throws(Failure) -> MCPReply {
    let body = try MCPMessage.text(call.request.method, call.request.params, id: call.id)
    let end = try await send(place.post(body, call.fields), for: call)
    switch end {
    case .reply(let reply): return try judged(reply, call)
    case .refused(let head, let body): return try reply(head, body, to: call)
    case .ended(let answer), .failed(_, let answer):
      if case .failed(var failure, _) = end, !Self.isLoss(failure) {
        // A timeout means that the server may have acted, which it cannot before it is connected.
        if failure.kind == .connectTimeout { failure.code = .networkUnavailable }
        throw failure
      }
      if !call.isModern, answer.lastEventID != nil { return try await resumed(answer, call) }
      guard case .ended = end, !answer.isStream, call.request.isRepeatable else {
        throw lost(call)
      }
      throw Failure(
        .invalidResponse, "'\(place.shownURL)' sent no answer to the request",
        status: answer.head?.status, url: place.shownURL)
    }
  }

  /// Reads on after the last event of a stream that broke off.
  private func resumed(_ broken: WebAnswer, _ call: WebCall) async throws(Failure) -> MCPReply {
    var last = broken
    var attempts = 0
    var wait = Self.usualRetry
    while let id = last.lastEventID, attempts < Self.maximumResumptions {
      wait = last.retryMilliseconds ?? wait
      let range = Self.retryRange
      try await pause(.milliseconds(min(max(wait, range.lowerBound), range.upperBound)))
      attempts += 1
      let fields = [HTTPField("Accept", "text/event-stream"), HTTPField("Last-Event-ID", id)]
      let end = try await send(place.request("GET", fields + self.fields(of: call)), for: call)
      switch end {
      case .reply(let reply): return reply
      case .refused: throw lost(call)
      case .ended(let answer), .failed(_, let answer):
        if case .failed(let failure, _) = end, Self.endsResumption(failure) { throw failure }
        guard let next = answer.lastEventID, next != id else { continue }
        (last, attempts) = (answer, 0)
      }
    }
    throw lost(call)
  }

  private static func endsResumption(_ failure: Failure) -> Bool {
    failure.code == .interrupted || failure.code == .invalidResponse && !isLoss(failure)
  }

  /// Returns `true` if the given failure means that a request may have arrived, and that its
  /// answer did not.
  private static func isLoss(_ failure: Failure) -> Bool {
    let kinds: [FailureKind] = [.reset, .shortBody, .protocol, .decode, .idleTimeout, .tooSlow]
    return failure.kind.map(kinds.contains) ?? false
  }
}
