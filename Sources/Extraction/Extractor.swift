import Core

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

  /// Returns `true` if the given extracted text contains at least one quotation.
  public static func quotes(_ text: String) -> Bool { !PriorWork.quotes(text).isEmpty }
}

extension Brief {
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
