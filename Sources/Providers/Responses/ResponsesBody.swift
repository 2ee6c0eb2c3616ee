import Core

/// The body of a request to OpenAI's Responses API.
///
/// The provider is told to store nothing. Each request therefore contains the whole conversation,
/// including the reasoning that the provider sealed.
struct ResponsesBody {
  /// The name that ``Message/Opaque`` gives to this API.
  static let api = "responses"

  let request: ModelRequest
  let model: String
  /// `true` if the model reasons.
  ///
  /// Its sealed reasoning is then requested.
  let reasons: Bool

  /// Returns the JSON text.
  ///
  /// - Throws: `BadInput` if there are stop sequences, which the API does not support, or if the
  ///   temperature is not a number.
  func text() throws(Failure) -> WireText {
    guard request.stopSequences.isEmpty else {
      throw Failure(
        .badInput, "'\(model)' does not support stop sequences: OpenAI's Responses API has none",
        kind: .stopSequences, input: model)
    }
    var members: [String: WireText?] = [
      "include": reasons && request.sends(.include) ? ["reasoning.encrypted_content"] : nil,
      "input": WireText(request.turns.flatMap(items)),
      "instructions": request.system.isEmpty ? nil : WireText(request.system),
      "max_output_tokens": request.sends(.limit)
        ? request.maximumOutputTokens.map { WireText($0) } : nil,
      "model": WireText(model),
      "prompt_cache_key": request.sends(.cache) ? request.cacheKey.map { WireText($0) } : nil,
      "store": request.sends(.store) ? false : nil, "stream": true,
    ]
    if let temperature = request.temperature, request.sends(.temperature) {
      members["temperature"] = try WireText(temperature: temperature)
    }
    if let effort = request.effort, request.sends(.effort) {
      members["reasoning"] = WireText(["effort": WireText(effort)])
    }
    if !request.tools.isEmpty {
      members["tools"] = WireText(request.tools.map(Self.tool))
      members["tool_choice"] = request.sends(.toolChoice) ? choice : nil
    }
    if let schema = request.schema, request.sends(.schema) {
      let format = WireText([
        "name": WireText(schema.name), "schema": WireText(json: schema.json),
        "type": "json_schema",
      ])
      members["text"] = WireText(["format": format])
    }
    return WireText(members)
  }

  /// Returns the items of a turn.
  private func items(_ turn: ModelRequest.Turn) -> [WireText] {
    if let opaque = turn.opaque, opaque.api == Self.api, request.sendsOpaque {
      // The brackets of the list are removed, so that its items join the other items.
      let inner = opaque.content.dropFirst().dropLast()
      return inner.isEmpty ? [] : [WireText(json: String(inner))]
    }
    let calls = turn.parts.compactMap(Self.item)
    let contents = turn.parts.compactMap { Self.content($0, of: turn.role) }
    guard !contents.isEmpty else { return calls }
    let message = WireText([
      "content": WireText(contents), "role": WireText(turn.role), "type": "message",
    ])
    return turn.role == "assistant" ? [message] + calls : calls + [message]
  }

  private static func item(_ part: RequestPart) -> WireText? {
    switch part {
    case .toolCall(let call):
      WireText([
        "arguments": WireText(call.arguments), "call_id": WireText(call.id),
        "name": WireText(call.name), "type": "function_call",
      ])
    case .toolResult(let output):
      WireText([
        "call_id": WireText(output.id), "output": WireText(output.text),
        "type": "function_call_output",
      ])
    case .text, .image, .file: nil
    }
  }

  private static func content(_ part: RequestPart, of role: String) -> WireText? {
    switch part {
    case .text(let text):
      WireText([
        "text": WireText(text), "type": role == "assistant" ? "output_text" : "input_text",
      ])
    case .image(let file):
      WireText(["image_url": WireText(file.dataURL), "type": "input_image"])
    case .file(let file):
      WireText([
        "file_data": WireText(file.dataURL), "filename": WireText(file.name),
        "type": "input_file",
      ])
    case .toolCall, .toolResult: nil
    }
  }

  private static func tool(_ offer: ToolOffer) -> WireText {
    WireText([
      "description": WireText(offer.description), "name": WireText(offer.name),
      "parameters": WireText(json: offer.inputSchema), "strict": false, "type": "function",
    ])
  }

  private var choice: WireText {
    switch request.toolChoice {
    case .automatic: "auto"
    case .none: "none"
    case .required: "required"
    case .named(let name): WireText(["name": WireText(name), "type": "function"])
    }
  }
}
