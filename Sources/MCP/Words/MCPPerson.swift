public import Core

/// A person who answers the questions of servers (`elicitation`).
public protocol MCPPerson: Sendable {
  /// Asks for the members of a form, whose schema allows only flat objects.
  ///
  /// - Parameters:
  ///   - message: The server's sentence, which is shown as text of the server.
  ///   - schema: The `requestedSchema`.
  ///   - server: The server's name.
  /// - Returns: The answer, with the members that the person entered.
  func fill(_ message: String, _ schema: JSONValue, for server: String) async -> MCPAnswer
  /// Shows the host of the given address, and opens the address after a yes.
  func open(_ address: String, _ message: String, for server: String) async -> MCPAnswer
}

/// The answer of a person to a server's question.
public enum MCPAnswer: Sendable, Hashable {
  /// The person accepted: the form's members, or nothing for an address.
  case accept([String: JSONValue])
  /// The person said no.
  case decline
  /// Nobody answered.
  case cancel
}
