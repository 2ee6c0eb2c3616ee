public import CodingAgents
public import Core
import Foundation
import MCP

/// The settings of an agent that make it run `gate-decide hook`.
public struct AgentSettings: Sendable {
  /// The agent.
  public let agent: CodingAgent
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
  public init(_ agent: CodingAgent, tool: String, environment: [String: String]) {
    self.agent = agent
    let quoted =
      tool.utf8.allSatisfy { $0.isLetter || $0.isDigit || "/._-+".utf8.contains($0) }
      ? tool : "'" + tool.replacing("'", with: "'\\''") + "'"
    command = "\(quoted) hook --agent \(agent.rawValue)"
    let root = SessionPlaces(agent, environment: environment).roots.first ?? ""
    path = "\(root)/\(agent.hooks?.file ?? "")"
  }

  /// The events, and the tools whose calls run the hook.
  var events: [HookSupport.Event] { agent.hooks?.events ?? [] }

  /// Returns the element that the array of the given event gets.
  func entry(_ event: HookSupport.Event) -> String {
    """
    {
      "matcher": \(Self.literal(event.matcher)),
      "hooks": [
        {
          "type": "command",
          "command": \(Self.literal(command)),
          \(event.facts)
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
  public var notes: [String] { agent.hooks?.notes ?? [] }

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
    _ event: HookSupport.Event, to file: [UInt8]
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
