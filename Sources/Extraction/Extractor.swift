import Core

/// A source of answers that consist of quotations.
///
/// The same brief always gives the same answer. Sentences are ranked by BM25 (Robertson and
/// Zaragoza, 2009) with a centroid's share (Radev et al., 2004) and diversified by maximal marginal
/// relevance (Carbonell and Goldstein, 1998). Every answer states that no language model wrote it.
/// Every statement about the subject is a quotation.
public enum Extractor {
  /// The notice in every answer.
  static let notice = "Made by extraction, not by a language model"

  /// Returns the whole answer to a brief in the form of its role: a plan, research, a brief, a
  /// review, or an answer.
  public static func text(_ brief: Brief) -> String {
    switch brief.role {
    case .ceo: ExtractivePlan.text(brief)
    case .researcher: ExtractiveResearch.text(brief)
    case .producer: ExtractiveBrief.text(brief)
    case .qaReviewer: ExtractiveReview.text(brief)
    default: ExtractiveAnswer.text(brief)
    }
  }

  /// Returns `true` if an extracted text contains a quotation.
  public static func quotes(_ text: String) -> Bool { !PriorWork.quotes(text).isEmpty }
}

extension Brief {
  /// The query terms: those of the goal, or else of the task.
  var query: [String] {
    let terms = TextTerms.terms(goal)
    // The task is used only as a fallback, since it adds words of instruction to those of the goal.
    return terms.isEmpty ? TextTerms.terms(task) : terms
  }

  /// Returns the goal as a heading: on one line, escaped and shortened.
  func title(_ longest: Int = 120) -> String {
    let line = Visible.line(goal.isEmpty ? task : goal)
    let cut = line.count > longest ? line.prefix(longest) + "…" : line[...]
    return cut.isEmpty ? "no goal" : InlineMarkdown.escaped(String(cut))
  }
}
