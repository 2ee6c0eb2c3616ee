import Core
import HTTP

/// A request to Composio.
struct ComposioRequest: Sendable {
  /// The effect of a request, which decides whether it is sent again.
  enum Effect: Sendable {
    /// The request changes nothing: it is sent again after any failure of the network.
    case reads
    /// The request changes something: it is sent again only if nothing was sent.
    case changes
    /// The request calls a tool: as `changes`, and a lost answer leaves the outcome unknown.
    case calls
  }

  /// The path of sessions, or of another part of the API.
  var root = "/api/v3.1/tool_router/session"
  private let rest: String
  let body: JSONValue?
  let effect: Effect

  /// Creates a request that reads the given path.
  init(_ rest: String) { (self.rest, body, effect) = (rest, nil, .reads) }

  /// Creates a request that posts the given members to the given path.
  init(_ rest: String, _ members: [String: JSONValue], _ effect: Effect) {
    (self.rest, body, self.effect) = (rest, .object(members), effect)
  }

  /// The path and the query.
  var path: String { root + rest }

  /// Returns the HTTP request.
  func http(_ base: String, key: String) -> HTTPRequest {
    var fields = [HTTPField("x-api-key", key), HTTPField("accept", "application/json")]
    if body != nil { fields.append(HTTPField("content-type", "application/json")) }
    return HTTPRequest(
      url: base + path, method: body == nil ? "GET" : "POST", fields: fields,
      body: body.map { Array($0.json.utf8) }, timeouts: HTTPTimeouts(idle: 300, total: 600),
      maximumBodyBytes: 16 << 20)
  }
}
