import Foundation
import Testing

/// The pages that a person names are read, whatever the model plans.
@Suite("named pages")
struct NamedPageTests {
  private static let named = "https://example.org/named"

  /// Returns a model's reply with the given steps, as a script of the model server.
  private static func reply(_ steps: String) throws -> String {
    let text = "```json\n{\"pipeline\":[\(steps)]}\n```"
    let script = try JSONSerialization.data(withJSONObject: [["text": text, "times": 0]])
    return String(decoding: script, as: UTF8.self)
  }

  /// Returns the URLs of each stage of the plan that the given command writes.
  private static func pages(_ run: ToolRun) -> [[String]] {
    run.records("stage").map { $0.fields["researchURLs"] as? [String] ?? [] }
  }

  @Test(arguments: [
    (
      #"{"role":"researcher","task":"A"},{"role":"researcher","task":"B"}"#,
      [[named], []]
    ),
    (
      #"{"role":"producer","task":"A"},{"role":"researcher","task":"B","researchURLs":["https://b.example/"]}"#,
      [[], [named, "https://b.example/"]]
    ),
    (
      #"{"role":"researcher","task":"A"},{"role":"researcher","task":"B","researchURLs":["\#(named)"]}"#,
      [[named], [named]]
    ),
    (#"{"role":"producer","task":"A"}"#, [[named], []]),
  ])
  func `a page that the model drops goes to the first researcher`(
    _ steps: String, _ expected: [[String]]
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(try Self.reply(steps))
      for source in ["Compare --url \(Self.named)", "- <<<'\(Self.goal)'"] {
        let run = try await scratch.shell("ceo-plan --model sonnet \(source)")
        #expect(run.statuses == [0] && run.errors.isEmpty)
        #expect(Self.pages(run) == expected)
      }
      try scratch.write("work/reply", "```json\n{\"pipeline\":[\(steps)]}\n```")
      let parsed = try await scratch.shell("ceo-plan --parse --url \(Self.named) Compare <reply")
      #expect(Self.pages(parsed) == expected)
    }
  }

  private static let goal = #"{"text":"Compare","type":"goal","urls":["\#(named)"]}"#

  @Test func `a page in the goal's words is read if the model names no other ones`() async throws {
    try await Scratch.with { scratch in
      let three = (1...3).map { "\"https://m.example/\($0)\"" }.joined(separator: ",")
      for (urls, expected) in [("", [Self.named]), (three, [])] {
        let step = #"{"role":"researcher","task":"A","researchURLs":[\#(urls)]}"#
        try await scratch.serveModels(try Self.reply(step))
        let run = try await scratch.shell("ceo-plan --model sonnet 'Sum up \(Self.named), please.'")
        #expect(Self.pages(run).flatMap(\.self).filter { $0 == Self.named } == expected)
      }
    }
  }

  @Test(arguments: [
    ("--continue Shorter", [named]),
    ("--continue Shorter --url https://b.example/", ["https://b.example/"]),
    ("--continue 'Read https://b.example/ instead.'", ["https://b.example/"]), ("Shorter", []),
  ])
  func `a plan that goes on reads the pages that were named before, unless others are named`(
    _ words: String, _ expected: [String]
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(try Self.reply(#"{"role":"researcher","task":"A"}"#))
      try await scratch.shell("ceo-plan --model sonnet Compare --url \(Self.named)")
      try await scratch.shell("ceo-plan --model sonnet --continue 'Only one stage.'")
      let run = try await scratch.shell("ceo-plan --model sonnet \(words)")
      #expect(run.statuses == [0] && run.errors.isEmpty)
      #expect(Self.pages(run) == [expected])
    }
  }

  @Test func `a named page without an http or https URL is refused`() async throws {
    try await Scratch.with { scratch in
      let option = try await scratch.shell("ceo-plan Compare --url example.org/a")
      #expect(option.statuses == [64])
      #expect(option.errors.contains("--url 'example.org/a' is not an http or https URL"))
      let record = try await scratch.shell(
        "ceo-plan", input: #"{"text":"Compare","type":"goal","urls":["file:///etc/passwd"]}"#)
      #expect(record.statuses == [65])
      #expect(record.errors.contains("'file:///etc/passwd' has no http or https URL"))
    }
  }
}
