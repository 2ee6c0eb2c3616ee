import CodingAgents
import Core
import Events

/// The failures of a session's model calls.
extension AdoptedSession {
  /// The kinds of answers that are not whole, and that the agent goes on from.
  private static let endsOfAnswers: Set<String> = ["cut", "refusal", "contentFilter", "malformed"]

  /// Records that a model call failed, and that the program does not make it again.
  mutating func failed(
    _ failure: Failure, of subagent: String?, _ at: Timestamp
  ) -> [any Event] {
    if subagent == nil { lastFailure = AdoptedRun.LastFailure(failure) }
    return note(.error, "a call of the model failed: \(failure.outline)", at)
  }

  /// Records that a model call failed, and that the program makes it again.
  mutating func repeats(_ retry: SessionRetry, _ at: Timestamp) -> [any Event] {
    note(.warn, "a call of the model failed: \(retry.outline)", at)
  }

  /// Records that the given answer is not whole.
  mutating func cut(
    _ answer: SessionAnswer, _ failure: Failure, of subagent: String?, _ at: Timestamp
  ) -> [any Event] {
    if failure.code == .interrupted { return note(.info, "a person interrupted the work", at) }
    guard Self.endsOfAnswers.contains(failure.kind?.rawValue ?? "") else {
      return failed(failure, of: subagent, at)
    }
    // Lines of one answer repeat its end.
    guard isNew("incomplete \(answer.id)") else { return [] }
    return note(.warn, "an answer is not complete: \(failure.outline)", at)
  }

  /// Forgets the last failure, because the agent works again.
  mutating func forgetFailure(at content: SessionEntry.Content) {
    switch content {
    case .prompt: lastFailure = nil
    case .answer(let answer) where answer.failure == nil: lastFailure = nil
    default: break
    }
  }
}
