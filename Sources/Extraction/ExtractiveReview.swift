import Core

/// The answer for a reviewer: the results of checks by fixed rules, with suggestions.
///
/// The checks judge the form of a text, not the truth of its statements. The review says so.
enum ExtractiveReview {
  /// The result of one check.
  struct Check {
    var name: String
    var isPassed: Bool
    var finding: String
    /// The suggestion to make because the check failed; nil if it passed.
    var suggestion: String?
  }

  /// Returns the review for the given brief, as Markdown.
  static func text(_ brief: Brief) -> String {
    guard let reviewed = brief.previousWork.last else {
      return """
        # Review: \(brief.title())

        \(Extractor.notice): there is no earlier work, so nothing was reviewed.
        """
    }
    let earlier = brief.previousWork.dropLast()
    let checks = ReviewChecks(reviewed.text, earlier: earlier.map(\.text), goal: brief.goal).all
    let passed = checks.filter(\.isPassed).count
    let results = checks.map { check in
      "- \(check.isPassed ? "PASS" : "FAIL") **\(check.name)**: \(check.finding)"
    }
    let suggestions = checks.compactMap(\.suggestion).enumerated().map {
      "\($0.offset + 1). \($0.element)"
    }
    let role = InlineMarkdown.escaped(Visible.line(reviewed.source))
    return """
      # Review: \(brief.title())

      \(Extractor.notice): these are checks by rule of what '\(role)' made. They judge form and \
      sources; whether a statement is true, they cannot say.

      **Result: \(passed) of \(checks.count) checks passed.**

      \(results.joined(separator: "\n"))

      ## Suggestions

      \(suggestions.isEmpty ? "None by rule." : suggestions.joined(separator: "\n"))
      """
  }
}
