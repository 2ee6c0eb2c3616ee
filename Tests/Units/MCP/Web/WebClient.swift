import Core
import HTTP

@testable import MCP

/// Returns a client of a server on the web.
func client(
  of url: String, revision: MCPRevision? = nil, remembered: MCPRevision? = nil,
  person: (any MCPPerson)? = nil, report: @escaping @Sendable (MCPNote) -> Void = { _ in }
) -> MCPClient {
  let server = MCPServer(
    name: "mcp:test", place: .web(url, fields: [], access: nil), revision: revision)
  return MCPClient(server, version: "1", person: person, remembered: remembered, report: report) {
    () throws(Failure) in throw Failure(.toolFailed, "there is no program")
  }
}

/// A person who accepts each form as it is, and opens nothing.
struct WillingPerson: MCPPerson {
  /// The members for fields without a default.
  var members: [String: JSONValue] = [:]

  func fill(_ message: String, _ schema: JSONValue, for server: String) async -> MCPAnswer {
    let defaults = schema.members?["properties"]?.members?.compactMapValues {
      $0.members?["default"]
    }
    return .accept((defaults ?? [:]).merging(members) { $1 })
  }

  func open(_ address: String, _ message: String, for server: String) async -> MCPAnswer {
    .decline
  }
}

extension MCPListing {
  /// The names of the tools.
  var names: [String] { tools.map(\.name) }
  /// Returns the tool with the given name.
  func tool(_ name: String) throws -> MCPTool {
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw Failure(.notFound, "no tool '\(name)'")
    }
    return tool
  }
}

extension MCPResult {
  /// The texts of the content.
  var texts: [String] {
    content.compactMap { if case .string(let text)? = $0.members?["text"] { text } else { nil } }
  }
}
