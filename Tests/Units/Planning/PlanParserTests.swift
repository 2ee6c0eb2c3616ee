import Core
import Foundation
import TestSupport
import Testing

@testable import Planning

struct PlanParserTests {
  private func code(_ reply: String) -> FailureCode? {
    do throws(Failure) {
      _ = try PlanParser.parse(reply)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a fenced block goes before braces around it`() throws {
    let reply = """
      I think {of} this:
      ```json
      {"pipeline": [{"role": "researcher", "task": "look", "researchURLs": ["https://a.example/"]},
       {"role": "producer", "task": "write"}]}
      ```
      and {that} is it
      """
    let plan = try PlanParser.parse(reply)
    #expect(plan.dropped.isEmpty)
    #expect(
      plan.steps == [
        .init(role: .researcher, task: "look", researchURLs: ["https://a.example/"]),
        .init(role: .producer, task: "write", researchURLs: []),
      ])
  }

  @Test func `without a fence the outermost braces count`() throws {
    let plan = try PlanParser.parse(
      "Here: {\"pipeline\":[{\"role\":\"producer\",\"task\":\"x\"}]} ok")
    #expect(plan.steps.map(\.task) == ["x"])
  }

  @Test func `a task may quote a fence of its own`() throws {
    let reply = """
      ```json
      {"pipeline": [{"role": "producer", "task": "show ```swift code``` blocks"}]}
      ```
      """
    #expect(try PlanParser.parse(reply).steps.map(\.task) == ["show ```swift code``` blocks"])
  }

  @Test func `items that cannot be used are named and the rest is kept`() throws {
    let plan = try PlanParser.parse(
      """
      {"pipeline": ["text", {"role": "ceo", "task": "x"}, {"role": "producer"},
       {"role": "producer", "task": "  "}, {"task": "x"},
       {"role": "researcher", "task": "ok", "researchURLs": ["file:///etc/passwd", 7, "http://b/"]}]}
      """)
    #expect(plan.steps == [.init(role: .researcher, task: "ok", researchURLs: ["http://b/"])])
    #expect(
      plan.dropped == [
        "item 1: not an object",
        "item 2: no role 'researcher', 'producer' or 'qaReviewer'",
        "item 3: no task", "item 4: no task",
        "item 5: no role 'researcher', 'producer' or 'qaReviewer'",
        "item 6: 2 of its URLs are not http or https",
      ])
  }

  @Test(arguments: [
    "", "no plan here", "{}", "{\"pipeline\": []}", "{\"pipeline\": {}}", "```json\n[1]\n```",
    "{\"pipeline\": [{\"role\": \"ceo\", \"task\": \"x\"}]}", "}{",
  ])
  func `a reply without a usable step is no plan`(reply: String) {
    #expect(code(reply) == .noPlan)
  }

  @Test func `random bytes are no plan and no crash`() {
    var generator = SeededRandom(seed: 7)
    let pieces = ["```json", "```", "{", "}", "\"pipeline\"", ":", "[", "]", "\n", "é", "\u{0}"]
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<40, using: &generator)
      let reply = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let found = code(reply)
      #expect(found == .noPlan || found == nil)
    }
  }
}
