import Core

/// The body of a request to the chat completions API.
struct ChatCompletionsBody {
  let request: ModelRequest
  let model: String
  /// `true` to use the name `max_completion_tokens` for the output limit, as OpenAI's reasoning
  /// models require.
  let namesCompletionTokens: Bool

  /// Returns the JSON text.
  ///
  /// - Throws: `BadInput` if the temperature is not a number.
  func text() throws(Failure) -> WireText {
    let isNewName =
      request.omitted.contains(.oldLimitName)
      || (namesCompletionTokens && !request.omitted.contains(.newLimitName))
    let limit = isNewName ? "max_completion_tokens" : "max_tokens"
    var members: [String: WireText?] = [
      limit: request.sends(.limit) ? request.maximumOutputTokens.map { WireText($0) } : nil,
      "messages": WireText(messages), "model": WireText(model),
      "prompt_cache_key": request.sends(.cache) ? request.cacheKey.map { WireText($0) } : nil,
      "reasoning_effort": request.sends(.effort) ? request.effort.map { WireText($0) } : nil,
      "stream": true,
      "stream_options": request.sends(.streamOptions)
        ? WireText(["include_usage": true]) : nil,
    ]
    if let temperature = request.temperature, request.sends(.temperature) {
      members["temperature"] = try WireText(temperature: temperature)
    }
    if request.sends(.stop) {
      members["stop"] = WireText(request.stopSequences.map { WireText($0) })
    }
    if !request.tools.isEmpty {
      members["tools"] = WireText(request.tools.map(Self.tool))
      members["tool_choice"] = request.sends(.toolChoice) ? choice : nil
    }
    if let schema = request.schema, request.sends(.schema) {
      let named = WireText([
        "name": WireText(schema.name), "schema": WireText(json: schema.json),
      ])
      members["response_format"] = WireText(["json_schema": named, "type": "json_schema"])
    }
    return WireText(members)
  }

  private var messages: [WireText] {
    let system = Self.message("system", WireText(request.system))
    return (request.system.isEmpty ? [] : [system]) + request.turns.flatMap(Self.messages)
  }

  /// Returns the messages for the given turn.
  ///
  /// Each tool result becomes a separate message.
  private static func messages(_ turn: ModelRequest.Turn) -> [WireText] {
    let results = turn.parts.compactMap { part -> WireText? in
      guard case .toolResult(let output) = part else { return nil }
      return WireText([
        "content": WireText(output.text), "role": "tool", "tool_call_id": WireText(output.id),
      ])
    }
    let calls = turn.parts.compactMap { part -> WireText? in
      if case .toolCall(let call) = part { self.call(call) } else { nil }
    }
    let contents = turn.parts.compactMap(content)
    guard !contents.isEmpty || !calls.isEmpty else { return results }
    var members: [String: WireText?] = ["role": WireText(turn.role)]
    if turn.parts.allSatisfy(\.isPlain) {
      // Many servers accept only a string as the content of a message.
      members["content"] = contents.isEmpty ? nil : WireText(turn.text)
    } else {
      members["content"] = WireText(contents)
    }
    members["tool_calls"] = calls.isEmpty ? nil : WireText(calls)
    return results + [WireText(members)]
  }

  private static func message(_ role: String, _ content: WireText) -> WireText {
    WireText(["content": content, "role": WireText(role)])
  }

  private static func content(_ part: RequestPart) -> WireText? {
    switch part {
    case .text(let text): WireText(["text": WireText(text), "type": "text"])
    case .image(let file):
      WireText(["image_url": WireText(["url": WireText(file.dataURL)]), "type": "image_url"])
    case .file(let file):
      WireText([
        "file": WireText([
          "file_data": WireText(file.dataURL), "filename": WireText(file.name),
        ]), "type": "file",
      ])
    case .toolCall, .toolResult: nil
    }
  }

  private static func call(_ call: ModelAnswer.ToolRequest) -> WireText {
    WireText([
      "function": WireText([
        "arguments": WireText(call.arguments), "name": WireText(call.name),
      ]),
      "id": WireText(call.id), "type": "function",
    ])
  }

  private static func tool(_ offer: ToolOffer) -> WireText {
    WireText([
      "function": WireText([
        "description": WireText(offer.description), "name": WireText(offer.name),
        "parameters": WireText(json: offer.inputSchema),
      ]), "type": "function",
    ])
  }

  private var choice: WireText {
    switch request.toolChoice {
    case .automatic: "auto"
    case .none: "none"
    case .required: "required"
    case .named(let name):
      WireText(["function": WireText(["name": WireText(name)]), "type": "function"])
    }
  }
}

extension RequestPart {
  /// `true` if the part can be sent in a plain text message.
  fileprivate var isPlain: Bool {
    switch self {
    case .text, .toolCall, .toolResult: true
    case .image, .file: false
    }
  }
}
