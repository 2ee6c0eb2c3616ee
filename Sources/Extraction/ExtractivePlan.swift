import Core
import Foundation

/// The plan that is always given, which has three fixed steps.
enum ExtractivePlan {
  private struct Step: Encodable {
    var role: Role
    var task: String
    var researchURLs: [String]?
  }

  /// Returns a reply to the given brief.
  ///
  /// It contains the plan as a JSON block.
  static func text(_ brief: Brief) -> String {
    let line = Visible.line(brief.goal.isEmpty ? brief.task : brief.goal)
    let goal = line.count > 500 ? line.prefix(500) + "…" : line
    let steps = [
      Step(
        role: .researcher, task: "Gather what the sources say about: \(goal)",
        researchURLs: brief.urls),
      Step(role: .producer, task: "Write a brief from the research on: \(goal)"),
      Step(role: .qaReviewer, task: "Check the brief and its sources on: \(goal)"),
    ]
    let pages = brief.urls.count == 1 ? "1 page" : "\(brief.urls.count) pages"
    return """
      \(Extractor.notice): the plan is the same three steps for every goal, and \
      \(brief.urls.isEmpty ? "no page was named to research" : "\(pages) will be researched").

      ```json
      {
        "pipeline": [
          \(steps.map(json).joined(separator: ",\n    "))
        ]
      }
      ```
      """
  }

  private static func json(_ step: Step) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail: JSON can express all three members.
    guard let data = try? encoder.encode(step) else { return "{}" }
    // Backticks are escaped, so that a code fence in the goal does not end the block.
    return String(decoding: data, as: UTF8.self).replacing("`", with: "\\u0060")
  }
}
