import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

struct SessionPlacesTests {
  private let home: Home

  init() throws { home = try Home() }

  private func write(_ names: String..., text: String = "{}") throws {
    for name in names {
      let folder = ("\(home.path)/\(name)" as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      _ = try home.file(name, text)
    }
  }

  /// Returns the files of each source, below the home.
  private func sources(
    _ agent: CodingAgent, _ variables: [String: String] = [:], in path: String? = nil
  ) throws -> [[String]] {
    let environment = variables.merging(["HOME": home.path]) { first, _ in first }
    let places = SessionPlaces(agent, environment: environment)
    return try places.sources(
      in: path.map { "\(home.path)/\($0)" },
      onFailure: { (failure) throws(Failure) in
        throw failure
      }
    ).map { source in
      let paths =
        switch source {
        case .transcripts(let files): files.map(\.path)
        case .database(let path), .storage(let path): [path]
        }
      return paths.map { String($0.dropFirst(home.path.count + 1)) }
    }
  }

  @Test func `subagents are read with their session`() throws {
    try write(
      ".claude/projects/-w/b.jsonl", ".claude/projects/-w/b/subagents/agent-1.jsonl",
      ".claude/projects/-w/b/subagents/workflows/x/agent-2.jsonl", ".claude/projects/-w/a.jsonl",
      ".claude/history.jsonl", ".claude/projects/-w/b/tool-results/t.txt")
    #expect(
      try sources(.claude) == [
        [".claude/projects/-w/a.jsonl"],
        [
          ".claude/projects/-w/b.jsonl", ".claude/projects/-w/b/subagents/agent-1.jsonl",
          ".claude/projects/-w/b/subagents/workflows/x/agent-2.jsonl",
        ],
        // The prompts of all sessions come last, because sessions have precedence.
        [".claude/history.jsonl"],
      ])
  }

  @Test func `the title of a thread is read only if it is wanted`() throws {
    let id = "01970000-0000-7000-8000-0000000000aa"
    let path = ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-\(id).jsonl"
    try write(path)
    try write(".codex/session_index.jsonl", text: #"{"id":"\#(id)","thread_name":"T"}"#)
    let places = SessionPlaces(.codex, environment: ["HOME": home.path])
    for (isTitled, title) in [(true, "T"), (false, nil)] {
      let file = TranscriptFile("\(home.path)/\(path)", SessionKey(.codex, id), title: title)
      #expect(
        places.sources(of: ["\(home.path)/\(path)"], titled: isTitled)
          == [.transcripts([file])])
    }
  }

  @Test func `variables move the folders`() throws {
    try write(
      "c1/projects/-w/a.jsonl", "c2/projects/-w/b.jsonl", "x/sessions/2026/r.jsonl",
      "g/.gemini/tmp/p/chats/s.jsonl", "d/opencode/opencode.db", "d/opencode/other.db",
      "d/opencode/storage/message/s/m.json")
    #expect(
      try sources(.claude, ["CLAUDE_CONFIG_DIR": "\(home.path)/c1, \(home.path)/c2"]) == [
        ["c1/projects/-w/a.jsonl"], ["c2/projects/-w/b.jsonl"],
      ])
    #expect(
      try sources(.codex, ["CODEX_HOME": "\(home.path)/x"]) == [["x/sessions/2026/r.jsonl"]])
    #expect(
      try sources(.gemini, ["GEMINI_CLI_HOME": "\(home.path)/g"])
        == [["g/.gemini/tmp/p/chats/s.jsonl"]])
    #expect(
      try sources(.opencode, ["XDG_DATA_HOME": "\(home.path)/d"]) == [
        ["d/opencode/storage"], ["d/opencode/opencode.db"],
      ])
    let moved = ["XDG_DATA_HOME": "\(home.path)/d", "OPENCODE_DB": "other.db"]
    #expect(try sources(.opencode, moved) == [["d/opencode/other.db"]])
  }

  @Test func `the active copy of a file of Codex wins`() throws {
    try write(
      "x/sessions/2026/rollout-a.jsonl", "x/archived_sessions/rollout-a.jsonl",
      "x/archived_sessions/rollout-b.jsonl.zst", "x/sessions/2026/rollout-c.jsonl.zst",
      "x/archived_sessions/rollout-c.jsonl", "x/history.jsonl")
    #expect(
      try sources(.codex, in: "x") == [
        ["x/sessions/2026/rollout-a.jsonl"], ["x/archived_sessions/rollout-c.jsonl"],
        ["x/archived_sessions/rollout-b.jsonl.zst"],
      ])
  }

  @Test func `the folder of a project of Gemini CLI is found beside its chats`() throws {
    try write(".gemini/tmp/p/chats/s.jsonl", ".gemini/tmp/q/chats/s/sub.jsonl")
    try write(".gemini/tmp/p/.project_root", text: "/w\n")
    try write(".gemini/projects.json", text: #"{"projects":{"/v":"q"}}"#)
    let places = SessionPlaces(.gemini, environment: ["HOME": home.path])
    let files = try places.sources(in: nil, onFailure: { (_) throws(Failure) in })
      .flatMap { source in
        if case .transcripts(let files) = source { files } else { [TranscriptFile]() }
      }
    #expect(files.map(\.folder) == ["/w", "/v"])
    #expect(files.map(\.parent) == [nil, "s"])
  }

  @Test func `a place without sessions is named`() throws {
    #expect(throws: Failure.self) { try sources(.codex) }
    try write("x/notes.txt")
    let failure = #expect(throws: Failure.self) { try sources(.codex, in: "x") }
    #expect(failure?.code == .notFound)
  }
}
