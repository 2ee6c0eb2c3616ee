import Core
import TOML

/// The servers in Codex's `config.toml`: tables `[mcp_servers.NAME]`.
enum CodexServers {
  /// Returns the servers in the form of a JSON object `mcpServers`.
  ///
  /// A variable that Codex reads becomes `${NAME}`. Servers that are switched off are left out, and
  /// named by a notice.
  ///
  /// - Throws: `BadInput` if the file is not TOML, or if it has no servers.
  static func servers(
    _ bytes: [UInt8], file: String, report: NoticeHandler
  ) throws(Failure) -> [String: JSONValue] {
    let table: TOMLTable
    do throws(TOMLFault) {
      table = try TOMLReader.read(bytes)
    } catch {
      throw Failure(.badInput, "'\(file)' is not TOML: \(error.reason)", input: file)
        .at("\(file):\(error.line)")
    }
    guard case .table(let servers)? = table["mcp_servers"]?.value else {
      throw Failure(.badInput, "'\(file)' has no table 'mcp_servers'", input: file)
    }
    var found: [String: JSONValue] = [:]
    for entry in servers.entries {
      let name = entry.name.text
      var members = json(entry.item.value).members ?? [:]
      guard members["enabled"] != .bool(false) else {
        report(.sentence("'mcp:\(Visible.line(name))' is not added: it is switched off in Codex"))
        continue
      }
      members["headers"] = headers(members)
      members["env"] = environment(members)
      found[name] = .object(members)
    }
    return found
  }

  private static func headers(_ members: [String: JSONValue]) -> JSONValue? {
    var headers = members["http_headers"]?.members ?? [:]
    for (name, value) in members["env_http_headers"]?.members ?? [:] {
      headers[name] = value.text.map { .string("${\($0)}") }
    }
    if let variable = members["bearer_token_env_var"]?.text {
      headers["Authorization"] = .string("Bearer ${\(variable)}")
    }
    return headers.isEmpty ? nil : .object(headers)
  }

  private static func environment(_ members: [String: JSONValue]) -> JSONValue? {
    var variables = members["env"]?.members ?? [:]
    for item in members["env_vars"]?.items ?? [] {
      // Newer versions have an object in place of the name.
      guard let name = item.text ?? item["name"]?.text else { continue }
      variables[name] = .string("${\(name):-}")
    }
    return variables.isEmpty ? nil : .object(variables)
  }

  private static func json(_ value: TOMLValue) -> JSONValue {
    switch value {
    case .string(let text), .instant(let text): .string(text)
    case .integer(let number): .int(Int(number))
    case .float(let number): .double(number)
    case .boolean(let isTrue): .bool(isTrue)
    case .array(let items): .array(items.map { json($0.value) })
    case .table(let table):
      .object(
        Dictionary(table.entries.map { ($0.name.text, json($0.item.value)) }) { first, _ in first })
    }
  }
}
