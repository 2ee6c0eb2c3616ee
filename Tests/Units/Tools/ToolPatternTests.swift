import Core
import Foundation
import TestSupport
import Testing

@testable import Tools

@Suite("patterns of tools")
struct ToolPatternTests {
  private func tool(_ name: String, _ source: String = "mcp:box") -> ToolRecord {
    ToolRecord(name: name, source: source, inputSchema: .object([:]))
  }

  @Test(arguments: [
    ("*", true), ("mcp:box/*", true), ("mcp:box/get_?ime", true), ("get_*", true),
    ("get_time", true), ("mcp:*/get_time", true), ("**e", true), ("get_tim", false),
    ("mcp:box", false), ("mcp:box/", false), ("GET_TIME", false), ("", false), ("get_time?", false),
  ])
  func `a pattern matches a whole name`(_ pattern: String, _ matches: Bool) {
    #expect(ToolPattern(pattern).matches(tool("get_time")) == matches)
  }

  @Test func `letters are compared by code points`() {
    #expect(!ToolPattern("caf\u{E9}").matches(tool("cafe\u{301}")))
  }

  @Test(arguments: [
    ("*", true), ("mcp:box", true), ("mcp:box/*", true), ("mcp:*", true), ("mcp:*/*", true),
    ("mcp:box/echo", false), ("echo", false), ("mcp:b", false),
  ])
  func `a server starts only by a pattern that covers all its tools`(
    _ pattern: String, _ covers: Bool
  ) {
    #expect(ToolPattern(pattern).covers(source: "mcp:box") == covers)
  }

  @Test func `a hostile pattern costs bounded time`() {
    let pattern = ToolPattern(String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches(text: String(repeating: "a", count: 20_000)))
  }

  @Test func `a pattern agrees with a matcher of another kind`() throws {
    var random = SeededRandom(seed: 29)
    for _ in 0..<5_000 {
      let letters = ["a", "b", "*", "?", "/"]
      let pattern = (0..<Int.random(in: 0...6, using: &random))
        .map { _ in random.one(of: letters, else: "a") }.joined()
      let text = (0..<Int.random(in: 0...6, using: &random))
        .map { _ in random.one(of: ["a", "b", "/"], else: "a") }.joined()
      let expected = fnmatch(pattern, text, 0) == 0
      #expect(ToolPattern(pattern).matches(text: text) == expected, "'\(pattern)' '\(text)'")
    }
  }
}
