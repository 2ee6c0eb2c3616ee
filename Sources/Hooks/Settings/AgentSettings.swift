public import Core
import Foundation
import MCP

/// The settings of an agent that make it run `gate-decide hook`.
public struct AgentSettings: Sendable {
  /// The agent.
  public let agent: HookAgent
  /// The path of the agent's file of settings.
  public let path: String
  /// The command that the agent runs.
  private let command: String

  /// Creates the settings of the given agent.
  ///
  /// - Parameters:
  ///   - agent: The agent.
  ///   - tool: The command `gate-decide`, or its path.
  ///   - environment: The environment. The variables of the agent move its files.
  public init(_ agent: HookAgent, tool: String, environment: [String: String]) {
    self.agent = agent
    let quoted =
      tool.utf8.allSatisfy { $0.isLetter || $0.isDigit || "/._-+".utf8.contains($0) }
      ? tool : "'" + tool.replacing("'", with: "'\\''") + "'"
    command = "\(quoted) hook --agent \(agent.rawValue)"
    func folder(_ name: String, or other: String) -> String {
      let home = environment["HOME"] ?? NSHomeDirectory()
      return environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? home + other
    }
    path =
      switch agent {
      case .claude: folder("CLAUDE_CONFIG_DIR", or: "/.claude") + "/settings.json"
      case .codex: folder("CODEX_HOME", or: "/.codex") + "/hooks.json"
      case .gemini: folder("GEMINI_CLI_HOME", or: "") + "/.gemini/settings.json"
      }
  }

  /// The events, and the tools whose calls run the hook.
  var events: [(name: String, matcher: String)] {
    switch agent {
    case .claude:
      [
        (name: HookForm.permissionRequest, matcher: "*"),
        (
          name: HookForm.preToolUse,
          matcher: "Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|mcp__.*"
        ),
      ] + EndedCalls.events.sorted().map { (name: $0, matcher: "*") }
    case .codex: [(HookForm.permissionRequest, ".*"), (HookForm.preToolUse, ".*")]
    case .gemini: [(HookForm.beforeTool, ".*")]
    }
  }

  /// Returns the element that the array of the given event gets.
  func entry(_ event: (name: String, matcher: String)) -> String {
    let facts =
      switch agent {
      case .claude where !HookForm(agent, event.name).isDecidable: "\"timeout\": 10"
      case .claude: "\"timeout\": 600,\n      \"onFailure\": \"block\""
      case .codex: "\"timeout\": 600"
      case .gemini: "\"timeout\": 60000"
      }
    return """
      {
        "matcher": \(Self.literal(event.matcher)),
        "hooks": [
          {
            "type": "command",
            "command": \(Self.literal(command)),
            \(facts)
          }
        ]
      }
      """
  }

  /// The settings as a whole file.
  public var text: String {
    // An empty file has room for everything.
    String(decoding: (try? added(to: Array("{}".utf8))) ?? [], as: UTF8.self) + "\n"
  }

  /// Sentences about the agent's conditions, and about its behaviour if the hook dies.
  public var notes: [String] {
    switch agent {
    case .claude:
      [
        "PreToolUse opens gates for 'claude -p', which asks nobody; elsewhere it applies the rules",
        "the other events withdraw the gate of a prompt that was answered at the terminal",
        "'onFailure' blocks a call if the hook dies; Claude Code ignores it before 2.1.295",
        "in an interactive session, no hook runs before you trust the folder",
      ]
    case .codex:
      [
        "PreToolUse is for 'codex exec'; without such runs, leave it out, because Codex asks twice",
        "trust the commands in /hooks; Codex skips an untrusted hook without a message",
        "'codex exec' runs hooks only with --dangerously-bypass-hook-trust",
        "if the hook dies, only Codex's own approval policy and sandbox hold",
      ]
    case .gemini:
      [
        "the time limit is in milliseconds, and the hook answers within 55 seconds",
        "if a signal ends the hook, only Gemini CLI's own question holds: do not use --yolo",
      ]
    }
  }

  private static func literal(_ text: String) -> String {
    String(decoding: JSONString.literal(text), as: UTF8.self)
  }

  // MARK: Merging

  /// Returns the given file of settings with the hook added; nil if it has the hook already.
  ///
  /// All other bytes stay as they are.
  ///
  /// - Throws: `BadInput` if the file is not JSON, or has another form than the agent's.
  public func merged(with file: [UInt8]) throws(Failure) -> [UInt8]? {
    let result = try added(to: file)
    return result == file ? nil : result
  }

  private func added(to file: [UInt8]) throws(Failure) -> [UInt8] {
    var file = file
    for event in events { file = try added(event, to: file) }
    return file
  }

  private func added(
    _ event: (name: String, matcher: String), to file: [UInt8]
  ) throws(Failure) -> [UInt8] {
    guard let edit = JSONEdit(file), file[edit.whole.lowerBound] == UInt8(ascii: "{") else {
      throw fault("it is not JSON without comments")
    }
    let array = "[\n  " + entry(event).replacing("\n", with: "\n  ") + "\n]"
    guard let hooks = try member("hooks", of: edit.whole, in: edit) else {
      let inner = array.replacing("\n", with: "\n  ")
      return edit.appending(
        "\"hooks\": {\n  \"\(event.name)\": \(inner)\n}", to: edit.whole, indentation: "  ")
    }
    guard file[hooks.lowerBound] == UInt8(ascii: "{") else { throw fault("'hooks' is no object") }
    guard let entries = try member(event.name, of: hooks, in: edit) else {
      return edit.appending("\"\(event.name)\": \(array)", to: hooks, indentation: "    ")
    }
    guard file[entries.lowerBound] == UInt8(ascii: "[") else {
      throw fault("'hooks.\(event.name)' is no array")
    }
    guard case .array(let present)? = JSONText.value(Array(file[entries])),
      !present.contains(where: { covers(event.matcher, by: $0) })
    else { return file }
    return edit.appending(entry(event), to: entries, indentation: "      ")
  }

  /// Returns `true` if the entry runs the command for at least the tools of the given matcher.
  ///
  /// Other regular expressions than lists of names are not compared, and count as narrower.
  private func covers(_ matcher: String, by entry: JSONValue) -> Bool {
    guard case .array(let hooks)? = entry.members?["hooks"],
      hooks.contains(where: { isOurs($0.members?["command"]) })
    else { return false }
    guard let value = entry.members?["matcher"] else { return true }
    guard case .string(let present) = value else { return false }
    if ["", "*", ".*", matcher].contains(present) { return true }
    guard !present.contains(where: { "()[]\\^$".contains($0) }) else { return false }
    return Set(matcher.split(separator: "|")).isSubset(of: present.split(separator: "|"))
  }

  /// Returns `true` if the given command is that of the hook, wherever the tool is.
  private func isOurs(_ command: JSONValue?) -> Bool {
    guard case .string(let text)? = command else { return false }
    let (plain, own) = (text.replacing("'", with: ""), "gate-decide hook --agent \(agent.rawValue)")
    return text == self.command || plain == own || plain.hasSuffix("/" + own)
  }

  private func member(
    _ name: String, of object: Range<Int>, in edit: JSONEdit
  ) throws(Failure) -> Range<Int>? {
    let found = (edit.parts(of: object) ?? []).filter { $0.name == name }
    guard found.count < 2 else { throw fault("it has '\(name)' twice") }
    return found.first?.value
  }

  private func fault(_ reason: String) -> Failure {
    Failure(
      .badInput, "cannot add the hook to '\(path)': \(reason)", input: path,
      nextStep: "add the settings by hand")
  }
}
