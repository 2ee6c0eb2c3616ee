import Catalogue
import Core
import Synchronization

/// The state of one request.
///
/// Known secrets are redacted from the answer, because a server may send back the key that it
/// received.
final class Attempt: Sendable {
  /// An update for the reader of a streamed answer.
  enum Step {
    /// A piece of the answer.
    case piece(ModelPiece)
    /// A restart, which voids all earlier pieces.
    case restart
  }

  /// The facts known so far about the request.
  struct State {
    /// The HTTP status; nil before the response arrives.
    var status: Int?
    /// The value of the response's `x-should-retry` field.
    var shouldRetry: Bool?
    /// The tokens of the complete answer.
    var usage: Usage?
    /// The answer, once it is complete.
    var answer: ModelAnswer?
    /// The time from the request to the first piece of the answer.
    fileprivate(set) var firstPiece: Duration?
    /// The terms of service that determine the price of the answer.
    var terms = ServiceTerms()
    /// The category that the provider gave to a refusal.
    ///
    /// The outer value is nil if the model did not refuse; the inner one is nil if there is no
    /// category.
    var declined: String??
    /// The names that the error of a response with status 400 mentions.
    var rejection: Rejection?
    /// `true` if the model has thought, even if its thinking was not sent.
    var hasThought = false
    /// `true` after a response with status 200, or after a piece of an answer.
    var hasBegun = false
    /// The text and the reasoning received so far, in case the answer stays incomplete.
    private(set) var partial = PartialAnswer()
    /// The highest counts reported so far.
    ///
    /// A later, lower report does not lower the cost.
    private var highest: Usage?
    /// `true` if the answer was restarted.
    ///
    /// No token count includes the text before the restart.
    fileprivate var wasRestarted = false
    private var masks: [Stream: SecretMask] = [:]
    private var hasPieces = false

    fileprivate mutating func count(_ usage: Usage?) {
      highest = usage.map { highest?.highest($0) ?? $0 } ?? highest
      self.usage = wasRestarted || usage == nil ? nil : highest
    }

    fileprivate mutating func receive(_ piece: ModelPiece) -> [Step] {
      hasPieces = true
      if case .reasoning = piece {
        let isFirst = !hasThought
        hasThought = true
        if piece.text.isEmpty { return isFirst ? [.piece(piece)] : [] }
      }
      let text = masks[piece.stream, default: SecretMask()].mask(piece.text)
      return accumulate(piece.with(text))
    }

    /// Ends the answer, and returns the text that was held back as a possible start of a secret.
    fileprivate mutating func finish() -> [Step] {
      var steps: [Step] = []
      for stream in masks.keys.sorted() {
        let rest = masks[stream, default: SecretMask()].finish()
        if !rest.isEmpty { steps += accumulate(stream.piece(rest)) }
      }
      masks = [:]
      return steps
    }

    private mutating func accumulate(_ piece: ModelPiece) -> [Step] {
      switch piece {
      case .text(let text): partial.text += text
      case .reasoning(let text): partial.reasoning += text
      case .toolCall(_, let name, _) where !name.isEmpty: return [.piece(piece)]
      case .toolCall: break
      }
      return piece.text.isEmpty ? [] : [.piece(piece)]
    }

    fileprivate mutating func restart() -> [Step] {
      let hadPieces = hasPieces
      (hasPieces, usage, masks, partial) = (false, nil, [:], PartialAnswer())
      wasRestarted = true
      return hadPieces ? [.restart] : []
    }
  }

  private let mutex = Mutex(State())
  private let began = ContinuousClock.now

  var state: State { mutex.withLock { $0 } }

  /// Handles the given event, and returns the updates for the reader of the answer.
  func receive(_ event: ModelEvent) -> [Step] {
    mutex.withLock { state in
      if case .head(let status, let shouldRetry) = event {
        (state.status, state.shouldRetry) = (status, shouldRetry)
        state.hasBegun = (200...299).contains(status)
        return []
      }
      if case .rejected(let rejection) = event {
        state.rejection = rejection
        return []
      }
      state.hasBegun = true
      switch event {
      case .head, .rejected, .notice: return []
      case .terms(let terms):
        state.terms = terms
        return []
      case .declined(let category):
        state.declined = .some(category)
        return []
      case .piece(let piece):
        if state.firstPiece == nil, !piece.text.isEmpty {
          state.firstPiece = began.duration(to: .now)
        }
        return state.receive(piece)
      case .usage(let usage):
        state.count(usage)
        return []
      case .restart: return state.restart()
      case .answer(let answer):
        state.count(answer.usage)
        state.answer = answer.redacted
        state.answer?.usage = state.usage
        return state.finish()
      }
    }
  }

  /// Ends an incomplete answer, and returns the text that was held back.
  func abandon() -> [Step] { mutex.withLock { $0.finish() } }
}

/// A text that is searched for secrets on its own: the answer's text, its reasoning, or the
/// arguments of one tool call.
private enum Stream: Hashable, Comparable {
  case reasoning
  case text
  case toolCall(place: Int, name: String)

  func piece(_ text: String) -> ModelPiece {
    switch self {
    case .reasoning: .reasoning(text)
    case .text: .text(text)
    case .toolCall(let place, let name): .toolCall(place: place, name: name, arguments: text)
    }
  }
}

extension ModelPiece {
  fileprivate var stream: Stream {
    switch self {
    case .reasoning: .reasoning
    case .text: .text
    case .toolCall(let place, let name, _):
      .toolCall(place: place, name: Secrets.redacted(name))
    }
  }

  fileprivate var text: String {
    switch self {
    case .text(let text), .reasoning(let text), .toolCall(_, _, let text): text
    }
  }

  fileprivate func with(_ text: String) -> ModelPiece { stream.piece(text) }
}

extension ModelAnswer {
  /// A copy of the answer with known secrets redacted.
  fileprivate var redacted: ModelAnswer {
    var answer = self
    answer.blocks = blocks.map { block in
      switch block {
      case .text(let text): .text(Secrets.redacted(text))
      case .reasoning(let text): .reasoning(Secrets.redacted(text))
      case .toolCall(let call):
        .toolCall(
          ToolRequest(
            id: Secrets.redacted(call.id), name: Secrets.redacted(call.name),
            arguments: Secrets.redacted(call.arguments)))
      }
    }
    // The provider would refuse a changed sealed text, so it is dropped.
    if let opaque, Secrets.redacted(opaque.content) != opaque.content { answer.opaque = nil }
    answer.model = Secrets.redacted(model)
    answer.stopReason = stopReason.map(Secrets.redacted)
    return answer
  }
}

extension Duration {
  /// The duration in milliseconds, rounded to a thousandth.
  var milliseconds: Double {
    (self / .milliseconds(1) * 1000).rounded() / 1000
  }
}
