public import Core
import Foundation
import Pipelines

/// A parser that finds the plan in a model's reply.
///
/// A plan is a JSON object with the array `pipeline`. Each item has `role`, `task` and, optionally,
/// `researchURLs`. The object is expected in a fenced `json` block. Without one, it is the text
/// from the first `{` to the last `}`.
public enum PlanParser {
  /// One step of a plan.
  public struct Step: Sendable, Hashable {
    /// The role that performs the step.
    public var role: Role
    /// The task of the step.
    public var task: String
    /// The URLs of the pages to read.
    public var researchURLs: [String]
  }

  /// The plan that was found in a reply.
  public struct Plan: Sendable, Hashable {
    /// The usable steps, in order.
    public var steps: [Step]
    /// The reasons why items were dropped, one sentence for each.
    public var dropped: [String]
  }

  /// Parses the plan in the given reply.
  ///
  /// - Throws: `NoPlan` if the reply contains no plan, or if no item of the plan is usable.
  public static func parse(_ reply: String) throws(Failure) -> Plan {
    for candidate in candidates(in: reply) {
      guard let object = try? JSONSerialization.jsonObject(with: Data(candidate.utf8)),
        let items = (object as? [String: Any])?["pipeline"] as? [Any]
      else { continue }
      let plan = plan(of: items)
      guard !plan.steps.isEmpty else {
        throw Failure(
          .noPlan, "the plan has no usable step",
          cause: plan.dropped.isEmpty ? nil : plan.dropped.joined(separator: "; "))
      }
      return plan
    }
    throw Failure(.noPlan, "the reply contains no plan")
  }

  /// Parses the plan for the given goal, and adds the pages that the goal names, or those that a
  /// person named before in the conversation.
  ///
  /// - Throws: As ``parse(_:)``.
  public static func parse(
    _ reply: String, for goal: Goal, before earlier: [String] = []
  ) throws(Failure) -> Plan {
    var plan = try parse(reply)
    plan.read(pagesOf: goal, before: earlier)
    plan.dropped += plan.unread(goal.urls ?? [])
    return plan
  }

  /// Returns the parts of the given reply that may be the plan, in the order in which to try them.
  private static func candidates(in reply: String) -> [Substring] {
    var found: [Substring] = []
    var rest = reply[...]
    while found.count < 16, let fence = rest.range(of: "```json") {
      rest = rest[fence.upperBound...]
      // A task may itself contain a fence, so the shortest block is parsed first.
      var searched = rest
      while let end = searched.range(of: "```"), found.count < 16 {
        found.append(rest[..<end.lowerBound])
        searched = searched[end.upperBound...]
      }
    }
    if let start = reply.firstIndex(of: "{"), let end = reply.lastIndex(of: "}"), start < end {
      found.append(reply[start...end])
    }
    return found
  }

  private static func plan(of items: [Any]) -> Plan {
    var plan = Plan(steps: [], dropped: [])
    for (index, item) in items.enumerated() {
      func drop(_ reason: String) { plan.dropped.append("item \(index + 1): \(reason)") }
      guard let item = item as? [String: Any] else {
        drop("not an object")
        continue
      }
      guard let name = item["role"] as? String, Role.planned.contains(Role(rawValue: name)) else {
        drop("no role 'researcher', 'producer' or 'qaReviewer'")
        continue
      }
      guard let task = item["task"] as? String, task.contains(where: { !$0.isWhitespace }) else {
        drop("no task")
        continue
      }
      let given = item["researchURLs"] as? [Any] ?? []
      let urls = given.compactMap { $0 as? String }.filter(NamedPages.isWebURL)
      if urls.count < given.count {
        drop("\(given.count - urls.count) of its URLs are not http or https")
      }
      plan.steps.append(Step(role: Role(rawValue: name), task: task, researchURLs: urls))
    }
    return plan
  }
}
