import Core

extension ModelRequest {
  /// The names of the offered tools that wrap their arguments.
  fileprivate var wrappedTools: Set<String> {
    Set(tools.filter(\.wrapsArguments).map(\.name))
  }

  /// The request with the arguments of earlier calls in the form that the tools' schemas require.
  var wrapped: ModelRequest {
    let names = wrappedTools
    guard !names.isEmpty else { return self }
    var request = self
    for index in request.turns.indices {
      request.turns[index].parts = request.turns[index].parts.map { part in
        guard case .toolCall(var call) = part, names.contains(call.name),
          JSONObject(call.arguments) != nil
        else { return part }
        call.arguments = "{\"\(ToolOffer.wrapper)\":\(call.arguments)}"
        return .toolCall(call)
      }
    }
    return request
  }
}

extension ModelAnswer {
  /// Returns the answer to the given request with the arguments of its calls as the tools take
  /// them.
  ///
  /// A model may have omitted the wrapper. Its arguments stay unchanged.
  func unwrapped(for request: ModelRequest) -> ModelAnswer {
    let names = request.wrappedTools
    guard !names.isEmpty else { return self }
    var answer = self
    answer.blocks = blocks.map { block in
      guard case .toolCall(var call) = block, names.contains(call.name),
        case .object(let members)? = JSONText.value(Array(call.arguments.utf8)),
        members.count == 1, let inner = members[ToolOffer.wrapper], case .object = inner,
        let text = try? RecordJSON.line(of: inner)
      else { return block }
      call.arguments = String(decoding: text, as: UTF8.self)
      return .toolCall(call)
    }
    return answer
  }
}
