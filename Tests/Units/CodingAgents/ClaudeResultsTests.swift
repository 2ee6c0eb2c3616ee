import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

/// Results of tools that Claude Code stores beside the session.
struct ClaudeResultsTests {
  private let home: Home
  private var session: String { "\(home.path)/projects/-w/s1" }

  init() throws {
    home = try Home()
    let files = FileManager.default
    for folder in ["\(session)/tool-results", "\(session)/subagents"] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    _ = try home.file("secret.txt", "a secret")
  }

  private func preview(_ path: String) -> String {
    "<persisted-output>\\nOutput too large (61KB). Full output saved to: \(path)\\n\\nPreview (first 2KB):\\nline 1\\n</persisted-output>"
  }

  /// Returns the text of the result in a transcript with the given text.
  private func result(_ text: String, in name: String = "s1.jsonl") throws -> String {
    let line =
      #"{"type":"user","sessionId":"s1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"\#(text)"}]}}"#
    _ = try home.file("projects/-w/\(name)", line + "\n")
    let environment = ProcessInfo.processInfo.environment
    let reader = SessionReader(
      limits: .chats, environment: environment, interruption: Interruption())
    var texts: [String] = []
    let fail = { (failure: Failure) throws(Failure) in throw failure }
    let places = SessionPlaces(.claude, environment: environment)
    for source in try places.sources(in: "\(home.path)/projects", onFailure: fail) {
      try reader.read(
        source,
        to: { entries in
          texts += entries.compactMap {
            if case .result(let result) = $0.content { result.text } else { nil }
          }
        }, endingGroup: { () throws(Failure) in }, onFailure: fail)
    }
    #expect(texts.count == 1)
    return texts.first ?? ""
  }

  private func store(_ name: String, _ text: String) throws {
    _ = try home.file("projects/-w/s1/tool-results/\(name)", text)
  }

  /// A place on another machine, as in a folder that was copied.
  private let place = "/home/u/.claude/projects/-w/s1/tool-results"

  @Test func `the whole text takes the place of its preview`() throws {
    try store("t.txt", "line 1\nlast line\n")
    #expect(try result(preview("\(place)/t.txt")) == "line 1\nlast line\n")
    try FileManager.default.removeItem(atPath: "\(home.path)/projects/-w/s1.jsonl")
    #expect(
      try result(preview("\(place)/t.txt"), in: "s1/subagents/agent-a.jsonl")
        == "line 1\nlast line\n")
  }

  @Test func `blocks that are stored as JSON are their texts`() throws {
    try store("t.json", #"[{"type":"text","text":"One."},{"type":"text","text":"Two."}]"#)
    #expect(try result(preview("\(place)/t.json")) == "One.\nTwo.")
    try store("t.json", "no JSON")
    #expect(try result(preview("\(place)/t.json")) == "no JSON")
  }

  @Test func `a text over the limit is cut and says so`() throws {
    try store("t.txt", String(repeating: "é", count: 50_001))
    #expect(
      try result(preview("\(place)/t.txt"))
        == String(repeating: "é", count: 50_000)
        + "\n[The result was cut: it has 50001 characters; 50000 are shown.]")
    try store("t.txt", String(repeating: "a", count: 300_000))
    #expect(
      try result(preview("\(place)/t.txt"))
        == String(repeating: "a", count: 50_000)
        + "\n[The result was cut: its file has 300000 bytes; 50000 characters are shown.]")
  }

  @Test(arguments: [
    "/home/u/.claude/projects/-w/s1/tool-results/../../../../secret.txt",
    "/home/u/.claude/projects/-w/s1/tool-results/..", "tool-results/", "tool-results",
    "/etc/hostname", "/home/u/secret.txt", "tool-results/link.txt", "tool-results/pipe",
    "tool-results/folder", "tool-results/missing.txt", "tool-results/t.txt\\u0000.txt",
  ])
  func `nothing outside of the folder is read, and no pipe is opened`(path: String) throws {
    try store("t.txt", "stored")
    let folder = "\(session)/tool-results"
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.txt", withDestinationPath: "\(home.path)/secret.txt")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/folder", withIntermediateDirectories: true)
    #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
    #expect(try result(preview(path)).hasPrefix("<persisted-output>"))
  }

  @Test(arguments: ["s1", "s1/tool-results"])
  func `a symbolic link to a folder is not followed`(name: String) throws {
    let files = FileManager.default
    let outside = "\(home.path)/outside"
    try files.createDirectory(atPath: "\(outside)/tool-results", withIntermediateDirectories: true)
    _ = try home.file("outside/tool-results/t.txt", "outside")
    _ = try home.file("outside/t.txt", "outside")
    let link = "\(home.path)/projects/-w/\(name)"
    try files.removeItem(atPath: link)
    try files.createSymbolicLink(
      atPath: link,
      withDestinationPath: name == "s1" ? outside : "\(outside)/tool-results")
    #expect(try result(preview("\(place)/t.txt")).hasPrefix("<persisted-output>"))
  }

  @Test func `other texts stay as they are`() throws {
    try store("t.txt", "stored")
    let text = "Full output saved to: \(place)/t.txt"
    #expect(try result(text) == text)
  }
}
