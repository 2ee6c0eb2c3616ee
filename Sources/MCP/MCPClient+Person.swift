import Core

extension MCPClient {
  /// The maximum number of questions in one answer.
  private static let maximumQuestions = 16
  /// The maximum length of a message in characters.
  private static let maximumMessage = 4000
  /// The maximum length of an address in bytes.
  private static let maximumAddress = 8192

  /// Returns the reply to a request that a server of the older revisions sent.
  nonisolated func reply(to incoming: MCPIncoming) async -> MCPReply? {
    guard case .request(let method, let params) = incoming else { return nil }
    guard method == "elicitation/create", person != nil else { return .refusal(of: method) }
    do throws(Failure) {
      return .result(try await elicit(params))
    } catch {
      return .error(-32602, error.explanation, nil)
    }
  }

  /// Asks the person what the given result asks for.
  ///
  /// - Returns: The value of `inputResponses`; nil if nothing is asked.
  /// - Throws: `ToolFailed` of the kind `missingCapability` if the server asks for what was not
  ///   declared; `InvalidResponse` if a question is malformed.
  nonisolated func responses(to result: [String: JSONValue]) async throws(Failure) -> JSONValue? {
    guard let requests = result["inputRequests"]?.members else {
      guard case .string? = result["requestState"] else {
        throw Failure(.invalidResponse, "'\(server.name)' asks for input and does not say which")
      }
      return nil
    }
    guard requests.count <= Self.maximumQuestions else {
      throw Failure(.invalidResponse, "'\(server.name)' asks too many questions")
    }
    var responses: [String: JSONValue] = [:]
    for (key, request) in requests.sorted(by: { $0.key < $1.key }) {
      guard case .string(let method)? = request.members?["method"] else {
        throw Failure(.invalidResponse, "'\(server.name)' sent a malformed question")
      }
      guard method == "elicitation/create", person != nil else {
        throw Failure(
          .toolFailed,
          "'\(server.name)' asks for '\(Visible.line(String(method.prefix(100))))', which nobody "
            + "here can answer", kind: .missingCapability)
      }
      responses[key] = .object(try await elicit(request.members?["params"]?.members ?? [:]))
      if Task.isCancelled { throw Failure(.interrupted, "the call was cancelled") }
    }
    return .object(responses)
  }

  /// Asks the person, and returns an `ElicitResult`.
  private nonisolated func elicit(
    _ params: [String: JSONValue]
  ) async throws(Failure) -> [String: JSONValue] {
    guard let person, case .string(let message)? = params["message"] else { throw malformed() }
    let shown = Visible.text(String(message.prefix(Self.maximumMessage)), keepingLines: true)
    let answer: MCPAnswer
    switch params["mode"] {
    case nil, .string("form"):
      guard let schema = params["requestedSchema"], FormSchema.isFlat(schema) else {
        throw malformed()
      }
      answer = await person.fill(shown, schema, for: server.name)
    case .string("url"):
      guard case .string(let address)? = params["url"],
        address.utf8.count <= Self.maximumAddress,
        address.hasPrefix("https://") || address.hasPrefix("http://")
      else { throw malformed() }
      answer = await person.open(address, shown, for: server.name)
    default: throw malformed()
    }
    switch answer {
    case .accept(let members) where params["mode"] == .string("url") && members.isEmpty:
      return ["action": .string("accept")]
    case .accept(let members):
      return ["action": .string("accept"), "content": .object(members)]
    case .decline: return ["action": .string("decline")]
    case .cancel: return ["action": .string("cancel")]
    }
  }

  private nonisolated func malformed() -> Failure {
    Failure(.invalidResponse, "'\(server.name)' asked a question that this client cannot show")
  }
}
