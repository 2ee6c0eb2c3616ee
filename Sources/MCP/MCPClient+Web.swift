import Core
import HTTP
import OAuth

extension MCPClient {
  /// Returns a connection over HTTP.
  nonisolated func webChannel(
    _ url: String, _ fields: [HTTPField], _ access: OAuthAccess?
  ) -> any MCPChannel {
    let place = WebPlace(name: server.name, url: url, fields: fields, access: access)
    return WebChannel(place, client: http)
  }

  /// Returns the arguments that are mirrored as header fields; none for a program.
  ///
  /// - Throws: `InvalidResponse` if the schema's `x-mcp-header` breaks a rule; `BadInput` if an
  ///   argument cannot be mirrored.
  nonisolated func mirrored(
    _ tool: MCPTool, _ arguments: [String: JSONValue]
  ) throws(Failure) -> [(name: String, value: String)] {
    guard !isProgram else { return [] }
    return try MirroredArguments(tool.inputSchema).fields(for: arguments)
  }
}
