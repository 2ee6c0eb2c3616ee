import Core

/// Answers by quoting.
///
/// The same brief gives the same answer, always. Sentences are ranked by BM25 (Robertson and
/// Zaragoza, 2009) with a centroid's share (Radev et al., 2004) and kept apart by maximal marginal
/// relevance (Carbonell and Goldstein, 1998). Every answer says that no language model made it, and
/// no answer holds a statement about the subject that is not a quotation.
public enum Extractor {
  /// What every answer says of itself.
  static let notice = "Made by extraction, not by a language model"

  /// Returns the whole answer to a brief, in the form that its role has: a plan, research, a brief, a
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

  /// Returns `true` if a text of ours holds a quotation.
  public static func quotes(_ text: String) -> Bool { !PriorWork.quotes(text).isEmpty }
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
