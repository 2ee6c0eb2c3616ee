import Core
import HTTP

/// A request that was given an id, and what belongs to it while it waits for its answer.
struct WebCall: Sendable {
  /// The JSON-RPC id.
  var id: Int
  /// The request.
  var request: MCPRequest
  /// The revision that the connection speaks; nil while it is not known.
  var revision: MCPRevision?
  /// The session that the request belongs to.
  var session: String?
  /// The time limit.
  var patience: Patience
  /// The receiver of other messages.
  var receive: @Sendable (MCPIncoming) async -> MCPReply?

  private static let versionKey = "io.modelcontextprotocol/protocolVersion"

  /// `true` if the request begins a session of the older revisions.
  var beginsSession: Bool { request.method == "initialize" }

  /// `true` if the request finds the server's revision.
  var isProbe: Bool { request.method == "server/discover" }

  /// `true` if the request is of the revision without a handshake.
  var isModern: Bool {
    if beginsSession { return false }
    return isProbe || revision.map(\.isModern) ?? (namedRevision != nil)
  }

  /// The revision that the message itself names, which the field must repeat.
  private var namedRevision: String? {
    guard case .string(let name)? = request.params["_meta"]?.members?[Self.versionKey] else {
      return nil
    }
    return name
  }

  /// The fields of the protocol.
  var fields: [HTTPField] {
    guard isModern else { return beginsSession ? [] : sessionFields }
    var fields = [
      HTTPField("MCP-Protocol-Version", namedRevision ?? MCPRevision.modern.rawValue),
      HTTPField("Mcp-Method", request.method),
    ]
    if let name = request.name { fields.append(HTTPField("Mcp-Name", FieldValue.encoded(name))) }
    return fields
      + request.mirrored.map { HTTPField("Mcp-Param-\($0.name)", FieldValue.encoded($0.value)) }
  }

  /// The fields of an older revision.
  var sessionFields: [HTTPField] { Self.fields(session, revision) }

  /// Returns the fields of a request in the given session.
  static func fields(_ session: String?, _ revision: MCPRevision?) -> [HTTPField] {
    let version = revision.map { HTTPField("MCP-Protocol-Version", $0.rawValue) }
    let session = session.map { HTTPField("MCP-Session-Id", $0) }
    return [version, session].compactMap(\.self)
  }
}
