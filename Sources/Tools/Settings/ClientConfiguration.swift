public import Core

/// The servers in a configuration file of another program: a JSON object `mcpServers` or `servers`.
public enum ClientConfiguration {
  /// The size limit of a file in bytes.
  public static let mostBytes = 1 << 20

  /// Returns the servers, sorted by name.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: The file's name for messages.
  /// - Returns: The servers, which start only after a person agreed.
  /// - Throws: `BadInput` if the file is not of this form.
  public static func servers(_ bytes: [UInt8], file: String) throws(Failure) -> [ServerEntry] {
    guard let value = JSONValue(json: bytes), let members = value.members else {
      throw Failure(.badInput, "'\(file)' is not a JSON object", input: file)
    }
    // VS Code nests `servers` in `mcp` in its settings.
    let found =
      members["mcpServers"] ?? members["servers"] ?? members["mcp"]?["servers"]
    guard let servers = found?.members else {
      throw Failure(
        .badInput, "'\(file)' has no object 'mcpServers' or 'servers'", input: file)
    }
    var entries: [ServerEntry] = []
    for (name, value) in servers.sorted(by: { $0.key < $1.key }) {
      let entry = ServerEntry(name: name, settings: try settings(value, name, file), file: file)
      if let problem = entry.problem {
        throw Failure(.badInput, problem.explanation, input: file)
      }
      entries.append(entry)
    }
    return entries
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
