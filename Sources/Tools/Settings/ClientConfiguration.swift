public import Core
import Foundation

/// The servers in a configuration file of another program: a JSON object `mcpServers` or `servers`,
/// Claude Code's `~/.claude.json`, or Codex's `config.toml`.
public enum ClientConfiguration {
  /// The size limit of a file in bytes.
  public static let mostBytes = 16 << 20

  /// Returns the servers, sorted by name.
  ///
  /// If Claude Code has several servers of one name, the server of the current folder takes
  /// precedence, then that of all folders.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: The file's name for messages.
  ///   - folder: The folder whose servers take precedence; nil for the current one.
  ///   - report: Receives notices about servers that are left out.
  /// - Returns: The servers, which start only after a person agreed.
  /// - Throws: `BadInput` if the file is not of this form.
  public static func servers(
    _ bytes: [UInt8], file: String, from folder: String? = nil,
    report: NoticeHandler = { _ in }
  ) throws(Failure) -> [ServerEntry] {
    guard !file.hasSuffix(".toml") else {
      return try entries(CodexServers.servers(bytes, file: file, report: report), file)
    }
    guard let value = JSONValue(json: bytes), let members = value.members else {
      throw Failure(.badInput, "'\(file)' is not a JSON object", input: file)
    }
    let current = folder ?? FileManager.default.currentDirectoryPath
    let projects = ClaudeProjects(members, from: current)
    // VS Code nests `servers` in `mcp` in its settings.
    let found =
      members["mcpServers"] ?? members["servers"] ?? members["mcp"]?["servers"]
    guard let servers = found?.members ?? (projects.folders.isEmpty ? nil : [:]) else {
      throw Failure(
        .badInput, "'\(file)' has no object 'mcpServers' or 'servers'", input: file)
    }
    var all: [String: ServerEntry] = [:]
    func add(_ entry: ServerEntry) {
      guard let first = all[entry.name] else { return all[entry.name] = entry }
      let places = [entry, first].map { $0.folder.map { "'\(Visible.line($0))'" } ?? "all folders" }
      report(
        .sentence(
          "'\(entry.source)' of \(places[0]) is not added: that of \(places[1]) has the same name"))
    }
    for (index, project) in projects.folders.enumerated() {
      if index == projects.near { try entries(servers, file).forEach(add) }
      for (name, value) in project.servers.sorted(by: { $0.key < $1.key }) {
        do throws(Failure) {
          try add(entry(name, value, file, of: project.path))
        } catch {
          // Many folders have nothing to do with the current one.
          report(.sentence("\(error.explanation), in '\(Visible.line(project.path))'"))
        }
      }
    }
    if projects.near == projects.folders.count { try entries(servers, file).forEach(add) }
    return all.values.sorted { $0.name < $1.name }
  }

  private static func entries(
    _ servers: [String: JSONValue], _ file: String
  ) throws(Failure) -> [ServerEntry] {
    try servers.sorted { $0.key < $1.key }.map { (name, value) throws(Failure) in
      try entry(name, value, file, of: nil)
    }
  }

  private static func entry(
    _ name: String, _ value: JSONValue, _ file: String, of folder: String?
  ) throws(Failure) -> ServerEntry {
    var entry = ServerEntry(name: name, settings: try settings(value, name, file), file: file)
    if let problem = entry.problem {
      throw Failure(.badInput, problem.explanation, input: file)
    }
    entry.folder = folder
    // The program may be named by a path from its folder.
    if entry.settings.url == nil { entry.settings.cwd = entry.settings.cwd ?? folder }
    return entry
  }

  private static func settings(
    _ value: JSONValue, _ name: String, _ file: String
  ) throws(Failure) -> Settings.MCPSettings {
    guard let members = value.members else { throw fault(name, "must be an object", file) }
    var settings = Settings.MCPSettings()
    settings.isImported = true
    if let type = members["type"]?.text, type == "sse" {
      throw fault(name, "uses the transport 'sse', which is not supported", file)
    }
    settings.url = try text(members["url"] == nil ? "serverUrl" : "url", of: members, name, file)
    settings.cwd = try text("cwd", of: members, name, file)
    if let command = try text("command", of: members, name, file) {
      guard let words = (members["args"] ?? .array([])).texts else {
        throw fault(name, "'args' must be a list of strings", file)
      }
      settings.command = [command] + words
    }
    settings.env = try words("env", of: members, name, file)
    settings.headers = try words("headers", of: members, name, file)
    return settings
  }

  private static func text(
    _ member: String, of members: [String: JSONValue], _ name: String, _ file: String
  ) throws(Failure) -> String? {
    guard let value = members[member], value != .null else { return nil }
    guard let text = value.text else { throw fault(name, "'\(member)' must be a string", file) }
    return text
  }

  private static func words(
    _ member: String, of members: [String: JSONValue], _ name: String, _ file: String
  ) throws(Failure) -> [String: String]? {
    guard let value = members[member], value != .null else { return nil }
    guard let pairs = value.members else {
      throw fault(name, "'\(member)' must be an object", file)
    }
    var words: [String: String] = [:]
    for (key, value) in pairs {
      switch value {
      case .string(let text): words[key] = text
      case .int(let number): words[key] = String(number)
      case .bool(let isTrue): words[key] = isTrue ? "true" : "false"
      default: throw fault(name, "'\(member)' must hold strings", file)
      }
    }
    return words
  }

  private static func fault(_ name: String, _ reason: String, _ file: String) -> Failure {
    Failure(
      .badInput, "the server '\(Visible.line(String(name.prefix(80))))': \(reason)", input: file)
  }
}
