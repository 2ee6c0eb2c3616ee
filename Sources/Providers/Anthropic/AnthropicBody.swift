import Catalogue
import Core

/// The body of a request to Anthropic's Messages API.
struct AnthropicBody {
  /// The name that ``Message/Opaque`` gives to this API.
  static let api = "anthropic"

  private static let mark: WireText = WireText(["type": "ephemeral"])

  let request: ModelRequest
  let model: String

  /// Returns the JSON text.
  ///
  /// - Throws: `BadInput` if the temperature is not a number.
  func text() throws(Failure) -> WireText {
    var members: [String: WireText?] = [
      "max_tokens": WireText(request.maximumOutputTokens ?? ModelFacts.usualOutputTokens),
      "messages": WireText(request.turns.map(message)), "model": WireText(model),
      "stream": true, "system": system,
    ]
    if let temperature = request.temperature, request.sends(.temperature) {
      members["temperature"] = try WireText(temperature: temperature)
    }
    if request.sends(.stop) {
      members["stop_sequences"] = WireText(request.stopSequences.map { WireText($0) })
    }
    if !tools.isEmpty {
      members["tools"] = WireText(tools.map(Self.tool))
      members["tool_choice"] = choice
    }
    members["output_config"] = outputConfiguration
    return WireText(members)
  }

  private var outputConfiguration: WireText? {
    let format = request.schema.flatMap { schema in
      request.sends(.schema)
        ? WireText(["schema": WireText(json: schema.json), "type": "json_schema"]) : nil
    }
    let effort = request.sends(.effort) ? request.effort.map { WireText($0) } : nil
    guard format != nil || effort != nil else { return nil }
    return WireText(["effort": effort, "format": format])
  }

  private var system: WireText? {
    guard !request.system.isEmpty else { return nil }
    guard request.cachesSystem, request.sends(.cache) else { return WireText(request.system) }
    return [
      WireText([
        "cache_control": Self.mark, "text": WireText(request.system), "type": "text",
      ])
    ]
  }

  private func message(_ turn: ModelRequest.Turn) -> WireText {
    WireText(["content": content(turn), "role": WireText(turn.role)])
  }

  private func content(_ turn: ModelRequest.Turn) -> WireText {
    // Content with signatures must stay unchanged, so it gets no cache mark.
    if let opaque = turn.opaque, opaque.api == Self.api, request.sendsOpaque {
      return WireText(json: opaque.content)
    }
    let marked = request.sends(.cache) ? turn.cachedParts : nil
    if turn.parts.count == 1, marked == nil, case .text(let text) = turn.parts[0] {
      return WireText(text)
    }
    return WireText(
      turn.parts.enumerated().map { index, part in
        WireText(Self.members(part, marked: marked == index + 1))
      })
  }

  private static func members(_ part: RequestPart, marked: Bool) -> [String: WireText?] {
    var members: [String: WireText?] =
      switch part {
      case .text(let text): ["text": WireText(text), "type": "text"]
      case .image(let file): ["source": source(file), "type": "image"]
      case .file(let file):
        ["source": source(file), "title": WireText(file.name), "type": "document"]
      case .toolCall(let call):
        [
          "id": WireText(Self.id(call.id)), "input": WireText(json: call.objectArguments),
          "name": WireText(call.name), "type": "tool_use",
        ]
      case .toolResult(let output):
        [
          "content": WireText(output.text), "is_error": output.isError ? true : nil,
          "tool_use_id": WireText(Self.id(output.id)), "type": "tool_result",
        ]
      }
    members["cache_control"] = marked ? mark : nil
    return members
  }

  /// Returns the given id with the characters that this API accepts; other providers use more.
  private static func id(_ id: String) -> String {
    String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "_" })
  }

  /// The offered tools; if none are offered, those that were called, because the API requires tools
  /// beside calls.
  private var tools: [ToolOffer] {
    guard request.tools.isEmpty else { return request.tools }
    let called = request.turns.flatMap(\.parts).compactMap { part in
      if case .toolCall(let call) = part { call.name } else { nil }
    }
    return Set(called).sorted().map {
      ToolOffer(name: $0, description: "Not available now.", inputSchema: #"{"type":"object"}"#)
    }
  }

  private static func source(_ file: RequestFile) -> WireText {
    WireText([
      "data": WireText(file.base64), "media_type": WireText(file.contentType), "type": "base64",
    ])
  }

  private static func tool(_ offer: ToolOffer) -> WireText {
    WireText([
      "description": WireText(offer.description),
      "input_schema": WireText(json: offer.inputSchema), "name": WireText(offer.name),
    ])
  }

  private var choice: WireText? {
    guard !request.tools.isEmpty else { return WireText(["type": "none"]) }
    guard request.sends(.toolChoice) else { return nil }
    return switch request.toolChoice {
    case .automatic: WireText(["type": "auto"])
    case .none: WireText(["type": "none"])
    case .required: WireText(["type": "any"])
    case .named(let name): WireText(["name": WireText(name), "type": "tool"])
    }
  }
}

extension ModelAnswer.ToolRequest {
  /// The arguments as the JSON object that the API requires; `{}` if they are other JSON.
  var objectArguments: String { JSONObject(arguments) == nil ? "{}" : arguments }
}
