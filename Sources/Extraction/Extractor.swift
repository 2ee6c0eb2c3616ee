public import Core

/// A source of answers that consist of quotations, without a language model.
///
/// The same brief always gives the same answer. ``Ranking`` selects the sentences. Every statement
/// about the subject is a quotation. Every answer states that no language model wrote it.
public enum Extractor {
  /// The notice that every answer contains.
  static let notice = "Made by extraction, not by a language model"

  /// Returns the answer to the given brief, in the form for its role.
  ///
  /// The form is a plan, research, a producer's brief, a review or a general answer.
  public static func text(_ brief: Brief) -> String {
    switch brief.role {
    case .ceo: ExtractivePlan.text(brief)
    case .researcher: ExtractiveResearch.text(brief)
    case .producer: ExtractiveBrief.text(brief)
    case .qaReviewer: ExtractiveReview.text(brief)
    default: ExtractiveAnswer.text(brief)
    }
  }

  /// Returns the answer to the given brief, as ``text(_:)``.
  ///
  /// - Throws: `MissingAPIKey` of kind `noSources` or `noQuotes` if the answer has no content and
  ///   the brief does not allow that.
  public static func answer(_ brief: Brief) throws(Failure) -> String {
    let text = text(brief)
    guard !brief.mayBeEmpty, let reason = emptyReason(of: text, to: brief) else { return text }
    throw .nothingToQuote(brief, reason)
  }

  /// Returns the reason why the given extracted answer has no content; nil if it has content.
  ///
  /// A plan needs no material, and a review needs only earlier work.
  public static func emptyReason(of text: String, to brief: Brief) -> FailureKind? {
    switch brief.role {
    case .ceo: nil
    case .qaReviewer: brief.previousWork.isEmpty ? .noSources : nil
    default: PriorWork.quotes(text).isEmpty ? (brief.hasMaterial ? .noQuotes : .noSources) : nil
    }
  }
}

extension FailureKind {
  /// The kind of the failure to quote because there is no text.
  public static let noSources = Self(rawValue: "noSources")
  /// The kind of the failure to quote because no sentence of the text is suitable.
  public static let noQuotes = Self(rawValue: "noQuotes")
}

extension Failure {
  /// The reason why a result has no content, if that is the failure; otherwise nil.
  public var emptyReason: String? {
    kind == .noSources || kind == .noQuotes ? kind?.rawValue : nil
  }

  fileprivate static func nothingToQuote(_ brief: Brief, _ reason: FailureKind) -> Failure {
    let isStage = [.researcher, .producer, .qaReviewer].contains(brief.role)
    let text = isStage ? "pages" : "text"
    let (state, remedy) =
      reason == .noSources
      ? (
        "there is no \(isStage ? "page" : text) to quote",
        isStage ? "add pages with 'ceo-plan --url'" : "attach a text"
      )
      : (
        "no sentence of the \(text) can be quoted",
        isStage ? "use other pages" : "ask with words of the text"
      )
    return Failure(
      .missingAPIKey,
      "\(state), and 'extractive' writes nothing itself", kind: reason,
      nextStep: "store a key with 'key-store set anthropic', or \(remedy)")
  }
}

extension Brief {
  /// `true` if there is a text that an answer may quote.
  fileprivate var hasMaterial: Bool {
    (sources + previousWork).contains { $0.text.contains { !$0.isWhitespace } }
  }

  /// The terms of the goal.
  ///
  /// If the goal has none, these are the terms of the task.
  var query: [String] {
    let terms = TextTerms.terms(goal)
    // The task is used only as a fallback, because it contains words of instruction.
    return terms.isEmpty ? TextTerms.terms(task) : terms
  }

  /// Returns the goal as the text of a heading, on one line and escaped.
  ///
  /// It is shortened to at most `longest` characters.
  func title(_ longest: Int = 120) -> String {
    let line = Visible.line(goal.isEmpty ? task : goal)
    let cut = line.count > longest ? line.prefix(longest) + "…" : line[...]
    return cut.isEmpty ? "no goal" : InlineMarkdown.escaped(String(cut))
  }
}
