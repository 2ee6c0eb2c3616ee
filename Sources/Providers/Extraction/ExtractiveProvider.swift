public import Core

/// The embedded default: it quotes instead of writing, with no key and no network.
///
/// The same request gives the same answer, always. Sentences are ranked by BM25 (Robertson and
/// Zaragoza, 2009) with a centroid's share (Radev et al., 2004) and kept apart by maximal marginal
/// relevance (Carbonell and Goldstein, 1998). Every answer says that no language model made it, no
/// answer holds a statement about the subject that is not a quotation, and nothing is charged.
public struct ExtractiveProvider: Provider {
  /// The name it goes by in every record.
  public static let modelName = "extractive"
  /// What every answer says of itself.
  static let notice = "Made by extraction, not by a language model"

  /// Creates the provider; it needs nothing.
  public init() {}

  /// Answers from the request's brief.
  ///
  /// - Parameters:
  ///   - request: What is asked; its brief is read, where it has one.
  ///   - model: Is not looked at.
  ///   - receive: Is handed the text, the usage of nothing, and the answer.
  /// - Throws: What `receive` throws, and `Interrupted` when the task is cancelled.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var answer = ModelAnswer()
    answer.blocks = [.text(Self.text(request.brief ?? request.asked))]
    answer.model = Self.modelName
    answer.stopReason = "end_turn"
    answer.usage = Usage()
    guard !Task.isCancelled else {
      throw Failure(.interrupted, "the request was cancelled")
    }
    try receive(.piece(.text(answer.text)))
    try receive(.usage(Usage()))
    try receive(.answer(answer))
  }

  /// The whole answer to a brief.
  static func text(_ brief: Brief) -> String {
    switch brief.role {
    case .ceo: ExtractivePlan.text(brief)
    case .researcher: ExtractiveResearch.text(brief)
    case .producer: ExtractiveBrief.text(brief)
    case .qaReviewer: ExtractiveReview.text(brief)
    default: ExtractiveAnswer.text(brief)
    }
  }
}

extension ModelRequest {
  /// What the turns ask: the last one is the question, those before it are the material.
  fileprivate var asked: Brief {
    let question = turns.last?.text ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: question, task: question,
      sources: turns.dropLast().map { Brief.Material(source: $0.role, text: $0.text) })
  }
}

extension Brief {
  /// The terms that are asked for: the goal's, else the task's.
  var query: [String] {
    let terms = TextTerms.terms(goal)
    // The task of a planned stage repeats the goal in other words, those of an instruction.
    return terms.isEmpty ? TextTerms.terms(task) : terms
  }

  /// The goal as a heading: on one line, escaped, at most so long.
  func title(_ longest: Int = 120) -> String {
    let line = Visible.line(goal.isEmpty ? task : goal)
    let cut = line.count > longest ? line.prefix(longest) + "…" : line[...]
    return cut.isEmpty ? "no goal" : InlineMarkdown.escaped(String(cut))
  }
}
