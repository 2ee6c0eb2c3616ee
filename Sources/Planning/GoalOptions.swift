public import Core
import Foundation

/// What options say about the goals of one run.
public struct GoalOptions: Sendable {
  private let project: String?
  private let urls: [String]

  /// Options for all goals.
  ///
  /// - Parameters:
  ///   - project: The project that files go to; nil for the goal's own.
  ///   - urls: Pages to read, beside the goal's own.
  public init(project: String?, urls: [String]) {
    self.project = project
    self.urls = urls
  }

  /// What people type after a tool's name when they look for a command of it.
  private static let verbs: Set = [
    "agent", "agents", "approve", "ask", "attach", "audit", "cancel", "close", "context", "create",
    "delete", "export", "fetch", "get", "health", "help", "import", "incident", "incidents", "init",
    "key", "kill", "list", "login", "ls", "man", "new", "pause", "plan", "reject", "resume", "run",
    "set", "show", "skill", "snapshot", "start", "status", "stop", "swarm", "swarms", "tail",
    "terminate", "test", "threshold", "trust", "usage", "version", "watch",
  ]

  /// Whether a goal is one word and a command's name rather than something to pay for.
  public static func isVerb(_ goal: String) -> Bool { verbs.contains(goal.lowercased()) }

  /// The goal that a text is.
  ///
  /// - Throws: `BadInput` for an empty one.
  public func goal(_ text: String) throws(Failure) -> Goal {
    try checked(
      Goal(text: text.trimmingCharacters(in: .whitespacesAndNewlines)).with {
        $0.project = project
        $0.urls = urls.isEmpty ? nil : urls
      })
  }

  /// The goal of a record.
  ///
  /// - Throws: `BadInput` for one that is none, or is empty.
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
    return goal.with { $0.text = $0.text.replacing("\r\n", with: "\n") }
  }
}
