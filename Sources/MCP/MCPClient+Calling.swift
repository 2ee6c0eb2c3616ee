public import Core

extension MCPClient {
  /// The maximum number of times that a server may ask before it answers a call.
  private static let maximumRounds = 10

  /// Calls a tool.
  ///
  /// - Parameters:
  ///   - tool: The tool, as the server listed it.
  ///   - arguments: The arguments, an object.
  ///   - isRepeatable: `true` if the call may be sent again after its answer was lost.
  /// - Returns: The result, even if it says that the tool failed.
  /// - Throws: `ToolFailed` if the server answers with an error, of the kind `unknownOutcome` if
  ///   the call may have been executed, of the kind `notStarted` if the server does not start;
  ///   `BadInput` if the arguments are not an object; else as ``tools()``.
  public func call(
    _ tool: MCPTool, arguments: JSONValue, isRepeatable: Bool = false
  ) async throws(Failure) -> MCPResult {
    guard let members = arguments.members else {
      throw Failure(.badInput, "the arguments of '\(tool.name)' are not an object")
    }
    var tool = tool
    var hasListed = false
    var job = Job(
      method: "tools/call", params: ["name": .string(tool.name), "arguments": arguments],
      name: tool.name, mirrored: try mirrored(tool, members), isRepeatable: isRepeatable)
    for _ in 0..<Self.maximumRounds {
      let result: [String: JSONValue]
      switch try await answer(job).reply {
      case .error(-32020, _, _) where !hasListed && !isProgram:
        // The tool's header fields have changed since it was listed.
        hasListed = true
        tool = try await tools().tools.first { $0.name == tool.name } ?? tool
        job.mirrored = try mirrored(tool, members)
        continue
      case .error(let code, let message, _):
        throw failure(code, message, "'\(Visible.line(tool.name))'")
      case .result(let received): result = received
      }
      guard try isQuestion(result) else { return try read(result) }
      job.params["inputResponses"] = try await responses(to: result)
      job.params["requestState"] = result["requestState"]
    }
    throw Failure(
      .toolFailed, "'\(server.name)' asked \(Self.maximumRounds) times and gave no result")
  }

  /// Returns `true` if the server asks for input, and `false` if the result is complete.
  private func isQuestion(_ result: [String: JSONValue]) throws(Failure) -> Bool {
    switch result["resultType"] {
    case nil, .string("complete"): return false
    case .string("input_required"): return true
    default:
      throw Failure(.invalidResponse, "'\(server.name)' sent a result of an unknown type")
    }
  }

  private func read(_ result: [String: JSONValue]) throws(Failure) -> MCPResult {
    // A server may send structured content alone.
    let content = result["content"] ?? .array([])
    guard case .array(let parts) = content, parts.allSatisfy({ $0.members?["type"] != nil }),
      result["content"] != nil || result["structuredContent"] != nil
    else { throw Failure(.invalidResponse, "'\(server.name)' sent a result without content") }
    return MCPResult(
      content: parts, structuredContent: result["structuredContent"],
      isError: result["isError"] == .bool(true))
  }
}
