import Core
import Synchronization

/// What one request has brought so far.
///
/// A server may hand back the key that it was sent: what it says leaves here without known secrets.
final class Attempt: Sendable {
  /// What a reader of the answer is told.
  enum Step {
    /// More text.
    case text(String)
    /// All text so far is void.
    case restart
  }

  /// What is known of the request.
  struct State {
    /// The status of the answer; nil before it came.
    var status: Int?
    /// What `x-should-retry` said.
    var shouldRetry: Bool?
    /// The tokens of the whole answer.
    var usage: Usage?
    /// The answer, once it is whole.
    var answer: ModelAnswer?
    /// Whether a 200 came, or a piece of an answer.
    var hasBegun = false
    fileprivate var hasText = false
    /// Whether the answer began again: what was answered before that is in no count.
    fileprivate var wasRestarted = false
    fileprivate var mask = SecretMask()

    fileprivate mutating func count(_ usage: Usage?) {
      self.usage = wasRestarted ? nil : usage
    }
  }

  private let mutex = Mutex(State())

  var state: State { mutex.withLock { $0 } }

  /// Receives an event, and returns what it means for a reader.
  func receive(_ event: ModelEvent) -> [Step] {
    mutex.withLock { state in
      if case .head(let status, let shouldRetry) = event {
        (state.status, state.shouldRetry) = (status, shouldRetry)
        state.hasBegun = (200...299).contains(status)
        return []
      }
      state.hasBegun = true
      switch event {
      case .head: return []
      case .text(let text):
        state.hasText = true
        return Self.steps(state.mask.mask(text))
      case .usage(let usage):
        state.count(usage)
        return []
      case .restart:
        let hadText = state.hasText
        (state.hasText, state.usage, state.mask) = (false, nil, SecretMask())
        state.wasRestarted = true
        return hadText ? [.restart] : []
      case .answer(let answer):
        state.answer = answer.redacted
        state.count(answer.usage)
        return Self.steps(state.mask.finish())
      }
    }
  }

  private static func steps(_ text: String) -> [Step] { text.isEmpty ? [] : [.text(text)] }
}

extension ModelAnswer {
  /// The answer without known secrets.
  fileprivate var redacted: ModelAnswer {
    var answer = self
    answer.text = Secrets.redacted(text)
    answer.reasoning = Secrets.redacted(reasoning)
    answer.model = Secrets.redacted(model)
    answer.stopReason = stopReason.map(Secrets.redacted)
    answer.toolCalls = toolCalls.map { call in
      ToolRequest(
        id: Secrets.redacted(call.id), name: Secrets.redacted(call.name),
        arguments: Secrets.redacted(call.arguments))
    }
    return answer
  }
}
