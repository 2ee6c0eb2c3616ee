package import Core

/// A request to a server, before it has an id.
package struct MCPRequest: Sendable {
  /// The method, such as `tools/call`.
  package var method: String
  /// The parameters, `_meta` included.
  package var params: [String: JSONValue]
  /// The value of `Mcp-Name`: the tool of `tools/call`.
  package var name: String?
  /// The arguments that are mirrored as header fields: names after `Mcp-Param-`, and plain values.
  package var mirrored: [(name: String, value: String)] = []
  /// `true` if the request may be sent again after its answer was lost.
  package var isRepeatable: Bool
}

/// The answer to a request.
package enum MCPReply: Sendable {
  /// The member `result`.
  case result([String: JSONValue])
  /// The member `error`: its code, its message and its data.
  case error(Int, String, JSONValue?)
}

/// A message of the server that is not an answer to our request.
package enum MCPIncoming: Sendable {
  /// A notification, such as `notifications/progress`.
  case notification(String, [String: JSONValue])
  /// A request of the server (older revisions only); its answer is sent back.
  case request(String, [String: JSONValue])
}

/// A connection to a server, over stdio or HTTP: it frames messages, gives ids, and does not know
/// what they mean.
package protocol MCPChannel: AnyObject, Sendable {
  /// Sends a request, and waits for its answer.
  ///
  /// Cancelling the task cancels the request as the revision prescribes.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - revision: The revision that the connection speaks; nil while it is not known.
  ///   - timeout: The time limit, counted from the last message about this request.
  ///   - receive: Receives other messages while the request waits; for a request of the server it
  ///     returns the reply.
  /// - Returns: The answer.
  /// - Throws: `ToolFailed` of the kind `notStarted` or `unknownOutcome`; `Timeout`;
  ///   `NetworkUnavailable` if nothing was sent; `AuthExpired`, `PermissionDenied`; `Interrupted`.
  func exchange(
    _ request: MCPRequest, _ revision: MCPRevision?, timeout: Duration,
    receive: @escaping @Sendable (MCPIncoming) async -> MCPReply?
  ) async throws(Failure) -> MCPReply
  /// Sends a notification.
  func notify(
    _ method: String, _ params: [String: JSONValue], _ revision: MCPRevision?
  ) async throws(Failure)
  /// Ends the connection; a program ends in steps.
  func close() async
}
