import CodingAgents
import Core
import Foundation
import MCP
import TestSupport
import Testing

@testable import Hooks

@Suite("settings of agents")
struct AgentSettingsTests {
  private func settings(_ agent: CodingAgent, home: String = "/home/user") -> AgentSettings {
    AgentSettings(agent, tool: "/opt/bin/gate-decide", environment: ["HOME": home])
  }

  private func merged(_ agent: CodingAgent, _ text: String) throws -> String? {
    try settings(agent).merged(with: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `the settings are a whole file`() {
    #expect(
      settings(.gemini).text == """
        {
          "hooks": {
            "BeforeTool": [
              {
                "matcher": ".*",
                "hooks": [
                  {
                    "type": "command",
                    "command": "/opt/bin/gate-decide hook --agent gemini",
                    "timeout": 60000
                  }
                ]
              }
            ]
          }
        }

        """)
    for agent in CodingAgent.hooked {
      let value = JSONText.value(Array(settings(agent).text.utf8))
      let events = value?.members?["hooks"]?.members?.keys.sorted()
      #expect(events == settings(agent).events.map(\.name).sorted())
    }
    #expect(settings(.claude).text.contains(#""onFailure": "block""#))
  }

  @Test func `variables move the file, and a path is quoted for a shell`() {
    let environment = [
      "HOME": "/h", "CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "GEMINI_CLI_HOME": "/g",
    ]
    let moved = CodingAgent.hooked.map {
      AgentSettings($0, tool: "gate-decide", environment: environment).path
    }
    #expect(moved == ["/c/settings.json", "/x/hooks.json", "/g/.gemini/settings.json"])
    #expect(
      CodingAgent.hooked.map { settings($0).path } == [
        "/home/user/.claude/settings.json", "/home/user/.codex/hooks.json",
        "/home/user/.gemini/settings.json",
      ])
    let odd = AgentSettings(.codex, tool: "/a b/it's", environment: environment)
    #expect(odd.text.contains(#""'/a b/it'\\''s' hook --agent codex""#))
  }

  @Test(arguments: [
    "{}", "{ }", "{\n}\n", #"{"model":"opus"}"#, "{\n  \"model\": \"opus\"\n}\n",
    #"{"hooks":{}}"#, #"{"hooks":{"Stop":[]},"a":1.0}"#,
    #"{"hooks":{"BeforeTool":[]}}"#,
    #"{"b":[1,{"c":"}"}],"hooks" : { "BeforeTool" : [ {"x":1} ] } }"#,
    "{\"env\":{\"A\":\"\\u0041\\\"\"},\n\t\"big\": 12345678901234567890, \"hooks\": {\"PreToolUse\": [\n{}\n]}}",
  ])
  func `all that was in the file stays as it was`(_ text: String) throws {
    for agent in CodingAgent.hooked {
      let new = try #require(try merged(agent, text))
      // Only insertions: the old text is left when they are taken out.
      var rest = Substring(new)
      for character in text {
        guard let place = rest.firstIndex(of: character) else {
          Issue.record("'\(text)' is not in '\(new)'")
          break
        }
        rest = rest[rest.index(after: place)...]
      }
      let old = try #require(JSONText.value(Array(text.utf8))?.members)
      let members = try #require(JSONText.value(Array(new.utf8))?.members)
      for (name, value) in old where name != "hooks" { #expect(members[name] == value) }
      let events = members["hooks"]?.members ?? [:]
      for (name, value) in old["hooks"]?.members ?? [:] {
        guard case .array(let entries) = value, case .array(let all)? = events[name] else {
          Issue.record("'\(name)' is gone")
          continue
        }
        #expect(Array(all.prefix(entries.count)) == entries)
      }
      for event in settings(agent).events {
        guard case .array(let all)? = events[event.name] else {
          Issue.record("'\(event.name)' is missing")
          continue
        }
        #expect(all.last == JSONText.value(Array(settings(agent).entry(event).utf8)))
      }
      #expect(try merged(agent, new) == nil)
    }
  }

  @Test(
    arguments: [
      (#"{}"#, true), (#"{"matcher":""}"#, true), (#"{"matcher":"*"}"#, true),
      (#"{"matcher":".*"}"#, true), (#"{"matcher":"Bash"}"#, false), (#"{"matcher":null}"#, false),
      (#"{"matcher":"Read|mcp__.*|WebFetch|NotebookEdit|Write|MultiEdit|Edit|Bash"}"#, true),
      (#"{"matcher":"Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch"}"#, false),
      (#"{"matcher":"(?!x|Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|mcp__.*|y)"}"#, false),
    ])
  func `an entry of a narrower matcher does not count`(_ entry: String, _ covers: Bool) throws {
    let hooks = #""hooks":[{"command":"/opt/bin/gate-decide hook --agent claude"}]}"#
    let separator = entry == "{}" ? "" : ","
    let old = entry.dropLast() + separator + hooks
    let others = settings(.claude).events.map(\.name).filter { $0 != "PreToolUse" }
      .map { #""\#($0)":[{"matcher":"*",\#(hooks)],"# }.joined()
    let text = #"{"hooks":{\#(others)"PreToolUse":[\#(old)]}}"#
    let new = try merged(.claude, text)
    #expect((new == nil) == covers)
    guard let new else { return }
    let all = JSONText.value(Array(new.utf8))?.members?["hooks"]?.members?["PreToolUse"]
    let event = try #require(settings(.claude).events.first { $0.name == "PreToolUse" })
    let ours = JSONText.value(Array(settings(.claude).entry(event).utf8))
    #expect(all == .array([JSONText.value(Array(old.utf8)), ours].compactMap(\.self)))
    #expect(try merged(.claude, new) == nil)
  }

  @Test(arguments: ["gate-decide", "/w/.build/debug/gate-decide", "'/a b/gate-decide'"])
  func `the hook counts wherever its tool is`(_ tool: String) throws {
    let hooks = #"[{"hooks":[{"command":"\#(tool) hook --agent gemini"}]}]"#
    #expect(try merged(.gemini, #"{"hooks":{"BeforeTool":\#(hooks)}}"#) == nil)
  }

  @Test func `events after a call have a short time limit and block nothing`() throws {
    let settings = settings(.claude)
    let event = try #require(settings.events.first { $0.name == "PostToolUse" })
    let text = settings.entry(event)
    #expect(text.contains(#""timeout": 10"#) && !text.contains("onFailure"))
  }

  @Test func `another command of the same name does not count`() throws {
    let text = #"{"hooks":{"BeforeTool":[{"name":"/opt/bin/gate-decide hook --agent gemini"}]}}"#
    #expect(try merged(.gemini, text) != nil)
  }

  @Test(arguments: [
    "", "[]", "null", "// mine\n{}", "{\"a\":1,}", #"{"hooks":[]}"#, #"{"hooks":null}"#,
    #"{"hooks":{"BeforeTool":{}}}"#, #"{"hooks":{},"hooks":{}}"#,
    #"{"hooks":{"BeforeTool":[],"BeforeTool":[]}}"#,
  ])
  func `a file that is not understood is refused`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try merged(.gemini, text) }
    #expect(failure?.code == .badInput)
  }

  @Test func `the file is replaced at its place, and a copy is kept`() throws {
    let home = try Home()
    let root = home.directories.data
    try FileManager.default.createDirectory(
      atPath: root + "/real", withIntermediateDirectories: true)
    let real = root + "/real/settings.json"
    try Data(#"{"model":"opus"}"#.utf8).write(to: URL(filePath: real))
    chmod(real, 0o640)
    let claude = settings(.claude, home: root)
    try FileManager.default.createDirectory(
      atPath: root + "/.claude", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: claude.path, withDestinationPath: real)
    let written = try #require(try claude.write())
    #expect(written.copy == written.file + ".before-gate-decide")
    #expect(
      FileManager.default.contents(atPath: try #require(written.copy))
        == Data(#"{"model":"opus"}"#.utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: claude.path) == real)
    #expect(
      try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
    #expect(try claude.write() == nil)
    let fresh = try #require(try settings(.codex, home: root).write())
    #expect(fresh.copy == nil)
    let text = FileManager.default.contents(atPath: fresh.file).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(text == settings(.codex, home: root).text)
  }
}
