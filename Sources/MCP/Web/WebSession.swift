/// The session of a server of the older revisions, and the ids that requests have used.
struct WebSession: Sendable {
  /// The longest id of a session that is accepted.
  private static let maximumIDBytes = 4096

  /// The value of `MCP-Session-Id`; nil if the server gave none.
  private(set) var id: String?
  /// The revision that was agreed with the session.
  var revision: MCPRevision?
  private var lastRequest = 0

  /// Returns the id of the next request.
  mutating func nextRequest() -> Int {
    lastRequest += 1
    return lastRequest
  }

  /// Begins a session with the given value of `MCP-Session-Id`; a malformed value begins none.
  mutating func begin(_ value: String?) {
    id = value.flatMap { id in
      let isValid =
        !id.isEmpty && id.utf8.count <= Self.maximumIDBytes
        && id.utf8.allSatisfy { 0x21...0x7E ~= $0 }
      return isValid ? id : nil
    }
  }

  /// Ends the session with the given id, unless another has begun.
  mutating func end(_ gone: String) {
    if id == gone { id = nil }
  }
}
