public import Core
import Foundation
import Pipelines

/// The command-line options that apply to all goals of one invocation.
public struct GoalOptions: Sendable {
  private let project: String?
  private let urls: [String]

  /// Creates options for all goals.
  ///
  /// - Parameters:
  ///   - project: The project of all goals; nil to use the project that each goal names.
  ///   - urls: Pages to read in addition to those that the goals name.
  public init(project: String?, urls: [String]) {
    self.project = project
    self.urls = urls
  }

  /// The words that users type after a tool's name because they expect a subcommand.
  private static let verbs: Set = [
    "agent", "agents", "approve", "ask", "attach", "audit", "cancel", "close", "context", "create",
    "delete", "export", "fetch", "get", "health", "help", "import", "incident", "incidents", "init",
    "key", "kill", "list", "login", "ls", "man", "new", "pause", "plan", "reject", "resume", "run",
    "set", "show", "skill", "snapshot", "start", "status", "stop", "swarm", "swarms", "tail",
    "terminate", "test", "threshold", "trust", "usage", "version", "watch",
  ]

  /// Returns `true` if the given goal is only the name of a subcommand, typed by mistake.
  public static func isVerb(_ goal: String) -> Bool { verbs.contains(goal.lowercased()) }

  /// Returns the goal with the given text.
  ///
  /// - Throws: `BadInput` if the text is empty, or if a page has no http or https URL.
  public func goal(_ text: String) throws(Failure) -> Goal {
    try checked(
      Goal(text: text.trimmingCharacters(in: .whitespacesAndNewlines)).with {
        $0.project = project
        $0.urls = urls.isEmpty ? nil : urls
      })
  }

  /// Returns the goal in the given record.
  ///
  /// - Throws: `BadInput` if the record is not a goal, if its goal is empty, or if a page has no
  ///   http or https URL.
  public func goal(_ record: RawRecord) throws(Failure) -> Goal {
    var goal = try Goal(record)
    goal.project = project ?? goal.project
    goal.urls = urls.isEmpty ? goal.urls : (goal.urls ?? []) + urls
    return try checked(goal)
  }

  private func checked(_ goal: Goal) throws(Failure) -> Goal {
    guard goal.text.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.badInput, "the goal is empty")
    }
    if let url = goal.urls?.first(where: { !NamedPages.isWebURL($0) }) {
      throw Failure(
        .badInput, "the page '\(Visible.line(url))' has no http or https URL", input: url)
    }
    return goal.with { $0.text = $0.text.replacing("\r\n", with: "\n") }
  }
}
