import Core

/// A source of answers that consist of quotations.
///
/// The same brief always gives the same answer. ``Ranking`` selects the sentences. Every statement
/// about the subject is a quotation. Every answer states that no language model wrote it.
public enum Extractor {
  /// The notice in every answer.
  static let notice = "Made by extraction, not by a language model"

  /// Returns the whole answer to the given brief in the form for its role: a plan, research, a
  /// producer's brief, a review, or an answer.
  public static func text(_ brief: Brief) -> String {
    switch brief.role {
    case .ceo: ExtractivePlan.text(brief)
    case .researcher: ExtractiveResearch.text(brief)
    case .producer: ExtractiveBrief.text(brief)
    case .qaReviewer: ExtractiveReview.text(brief)
    default: ExtractiveAnswer.text(brief)
    }
  }

  /// Returns `true` if the given extracted text contains a quotation.
  public static func quotes(_ text: String) -> Bool { !PriorWork.quotes(text).isEmpty }
}

extension Brief {
  /// The terms of the goal, or of the task if the goal has none.
  var query: [String] {
    let terms = TextTerms.terms(goal)
    // The task is used only as a fallback, because it contains words of instruction.
    return terms.isEmpty ? TextTerms.terms(task) : terms
  }

  /// Returns the goal as the text of a heading: on one line, escaped, and shortened to the given
  /// length.
  func title(_ longest: Int = 120) -> String {
    let line = Visible.line(goal.isEmpty ? task : goal)
    let cut = line.count > longest ? line.prefix(longest) + "…" : line[...]
    return cut.isEmpty ? "no goal" : InlineMarkdown.escaped(String(cut))
  }
}
