import CodingAgents
public import Core
import MCP

/// A server of the Model Context Protocol with one tool, which decides the requests of an agent.
///
/// It turns messages into actions, and has no effects. It speaks the revisions with a handshake, and
/// the one without.
public struct PermissionServer: Sendable {
  /// The effect of a message.
  public enum Action: Sendable {
    /// The line is the answer.
    case answer([UInt8])
    /// The call with the id waits for a decision.
    case decide(PermissionCall)
    /// The call with the id is no longer awaited.
    case cancel(JSONValue)
  }

  /// The name of the tool.
  public static let tool = "approve"

  private let version: String
  private let sessionId: String
  private let folder: String

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - version: The version of this program.
  ///   - sessionId: The id of the agent's session.
  ///   - folder: The working folder of the agent.
  public init(version: String, sessionId: String, folder: String) {
    (self.version, self.sessionId, self.folder) = (version, sessionId, folder)
  }

  /// Returns the actions of a line that the agent sent.
  public func actions(for line: [UInt8]) -> [Action] {
    guard let messages = MCPMessage.read(line) else {
      return [Self.answer(.error(-32700, "the line is not JSON", nil), to: .null)].compactMap(
        \.self)
    }
    return messages.compactMap { message in
      switch message {
      case .incoming(let id?, .request(let method, let params)): action(method, params, id)
      case .incoming(_, .notification("notifications/cancelled", let params)):
        params["requestId"].map { .cancel($0) }
      default: nil
      }
    }
  }

  private func action(
    _ method: String, _ params: [String: JSONValue], _ id: JSONValue
  ) -> Action? {
    let isModern = Self.revision(params) != nil
    if let revision = Self.revision(params), !revision.isModern {
      let data = JSONValue.object([
        "supported": .array([.string(MCPRevision.modern.rawValue)]),
        "requested": .string(revision.rawValue),
      ])
      return Self.answer(.error(-32022, "unsupported protocol version", data), to: id)
    }
    switch method {
    case "initialize": return Self.answer(.result(handshake(params)), to: id)
    case "server/discover":
      let versions = JSONValue.array([.string(MCPRevision.modern.rawValue)])
      return result(
        ["supportedVersions": versions, "capabilities": Self.capabilities], isModern, id)
    case "ping" where !isModern: return Self.answer(.result([:]), to: id)
    case "tools/list": return result(["tools": .array([Self.description])], isModern, id)
    case "tools/call": return call(params, isModern, id)
    default: return Self.answer(.error(-32601, "there is no such method", nil), to: id)
    }
  }

  private func call(
    _ params: [String: JSONValue], _ isModern: Bool, _ id: JSONValue
  ) -> Action? {
    guard case .string(Self.tool)? = params["name"] else {
      return Self.answer(.error(-32602, "the only tool is '\(Self.tool)'", nil), to: id)
    }
    let arguments = params["arguments"]?.members ?? [:]
    guard case .string(let tool)? = arguments["tool_name"], !tool.isEmpty,
      let input = arguments["input"]?.members
    else {
      return Self.answer(.error(-32602, "'tool_name' or 'input' is missing", nil), to: id)
    }
    var request = HookRequest(HookForm(.claude, "permissionTool"), tool: tool, input: input)
    request.sessionId = sessionId
    request.folder = folder
    if case .string(let callId)? = arguments["tool_use_id"], !callId.isEmpty {
      request.callId = callId
    }
    return .decide(PermissionCall(id: id, request: request, isModern: isModern))
  }

  /// Returns the line that answers the given call.
  ///
  /// The call is denied unless the answer allows it.
  public func line(_ answer: HookAnswer, to call: PermissionCall) -> [UInt8] {
    let decision: [String: JSONValue] =
      switch answer {
      case .allow: ["behavior": .string("allow"), "updatedInput": .object(call.request.input)]
      case .deny(let reason), .ask(let reason):
        ["behavior": .string("deny"), "message": .string(Visible.line(reason))]
      case .none: ["behavior": .string("deny"), "message": .string("there is no decision")]
      }
    // Only a number that is not finite cannot be encoded, and JSON has none.
    let text = (try? RecordJSON.line(of: JSONValue.object(decision))) ?? []
    let content = JSONValue.object([
      "type": .string("text"), "text": .string(String(decoding: text, as: UTF8.self)),
    ])
    guard case .answer(let line)? = result(["content": .array([content])], call.isModern, call.id)
    else { return [] }
    return line
  }

  // MARK: Words

  private static let capabilities = JSONValue.object(["tools": .object([:])])

  private static let description = JSONValue.object([
    "name": .string(tool),
    "description": .string("Asks a person, or the rules of agentpipes, whether a tool may run."),
    "inputSchema": .object([
      "type": .string("object"),
      "properties": .object([
        "tool_name": .object(["type": .string("string")]),
        "input": .object(["type": .string("object")]),
        "tool_use_id": .object(["type": .string("string")]),
      ]),
      "required": .array([.string("tool_name"), .string("input")]),
    ]),
  ])

  private var info: JSONValue {
    .object(["name": .string("agentpipes"), "version": .string(version)])
  }

  private func handshake(_ params: [String: JSONValue]) -> [String: JSONValue] {
    let known = MCPRevision.handshakes
    let asked = known.first { params["protocolVersion"] == .string($0.rawValue) }
    return [
      "protocolVersion": .string((asked ?? known[0]).rawValue),
      "capabilities": Self.capabilities, "serverInfo": info,
    ]
  }

  /// Returns an answer, which in the newest revision describes the server and its cache.
  private func result(
    _ members: [String: JSONValue], _ isModern: Bool, _ id: JSONValue
  ) -> Action? {
    guard isModern else { return Self.answer(.result(members), to: id) }
    var members = members
    members["resultType"] = .string("complete")
    members["_meta"] = .object(["io.modelcontextprotocol/serverInfo": info])
    if members["content"] == nil {
      (members["ttlMs"], members["cacheScope"]) = (.int(0), .string("private"))
    }
    return Self.answer(.result(members), to: id)
  }

  private static func revision(_ params: [String: JSONValue]) -> MCPRevision? {
    let name = params["_meta"]?.members?["io.modelcontextprotocol/protocolVersion"]
    guard case .string(let name)? = name else { return nil }
    return MCPRevision(rawValue: name)
  }

  private static func answer(_ reply: MCPReply, to id: JSONValue) -> Action? {
    (try? MCPMessage.text(reply, to: id)).map { .answer($0) }
  }
}

/// A call of the server's tool, which waits for a decision.
public struct PermissionCall: Sendable {
  /// The id of the call in the protocol.
  public let id: JSONValue
  /// The request to decide.
  public let request: HookRequest
  /// `true` if the agent speaks the revision without a handshake.
  let isModern: Bool
}
