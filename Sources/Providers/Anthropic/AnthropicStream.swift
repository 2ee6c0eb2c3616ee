import Catalogue
public import Core
public import HTTP

/// A decoder of the event stream of Anthropic's Messages API.
///
/// It has no side effects. Unknown events, blocks, deltas and fields are ignored. An answer is
/// complete only with `message_stop`.
public struct AnthropicStream: Sendable {
  private let source: String
  private var answer = ModelAnswer()
  private var tokens = AnthropicTokens()
  /// The content blocks, in the order of their starts.
  ///
  /// `places` maps a block's index in the stream to its position in `parts`.
  private var parts: [AnthropicPart] = []
  private var places: [Int: Int] = [:]
  private var size = AnswerSize()
  /// The category and the explanation of the model's refusal.
  ///
  /// The failure is thrown at the end of the stream, so that the usage is reported first.
  private var refusal: (category: String?, explanation: String?)
  private var declined: Failure?
  private var hasStarted = false
  private(set) var hasEndMark = false

  /// Creates a decoder.
  ///
  /// - Parameter source: The URL of the server, for messages.
  public init(source: String = "anthropic") {
    self.source = source
  }

  /// Reads the next event and returns the model events that follow from it.
  ///
  /// - Throws: The failure that an `error` event reports; `InvalidResponse` if the event does not
  ///   belong to a stream of messages.
  public mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent] {
    guard !hasEndMark else { return [] }
    guard let data = JSONObject(event.data) else {
      // An unknown event may have any form, but an event without a type must be a known one.
      guard event.event == "message" || Self.known.contains(event.event) else { return [] }
      throw Failure(
        .invalidResponse, "'\(source)' sent an event that is not a JSON object", kind: .malformed)
    }
    try size.add(event.data.utf8.count, source: source)
    switch data.string("type") ?? event.event {
    case "message_start": return start(data.object("message"))
    case "content_block_start": return startBlock(data, event.data)
    case "content_block_delta": return extend(data)
    case "message_delta": return finishMessage(data)
    case "message_stop": return try stop()
    case "error": throw ProviderError(data).failure(inStreamOf: source)
    default: return []
    }
  }

  /// Reads the end of the stream.
  ///
  /// - Throws: `ModelRefused` if the model refused; `InvalidResponse` of kind `cut` if the answer
  ///   is incomplete.
  @discardableResult
  public mutating func finish() throws(Failure) -> [ModelEvent] {
    guard isWhole else { throw .cutAnswer(source) }
    let events = hasEndMark ? [] : try stop()
    if let declined { throw declined }
    return events
  }

  /// `true` if the answer has its end mark or a known stop reason; a refusal requires the end mark.
  var isWhole: Bool {
    hasEndMark || answer.stopReason.map { $0 != "refusal" } ?? false
  }

  private static let known: Set<String> = [
    "message_start", "content_block_start", "content_block_delta", "message_delta",
    "message_stop", "ping", "error",
  ]

  private mutating func start(_ message: JSONObject?) -> [ModelEvent] {
    // If two starts follow each other, the first has no content to void.
    let events: [ModelEvent] = answer.isEmpty ? [] : [.restart]
    hasStarted = true
    answer = ModelAnswer()
    (parts, places) = ([], [:])
    answer.model = message?.string("model") ?? ""
    tokens.start(message?.object("usage"))
    return events
  }

  private mutating func startBlock(_ data: JSONObject, _ json: String) -> [ModelEvent] {
    guard let index = data.integer("index"), let block = data.object("content_block"),
      let start = RawRecord(object: json)?.json("content_block")
    else { return [] }
    places[index] = parts.count
    var part = AnthropicPart(start: start)
    defer { parts.append(part) }
    switch block.string("type") {
    case "text":
      part.place = add(.text(""))
      return extend(part, text: block.string("text"))
    case "thinking":
      part.place = add(.reasoning(""))
      // Most models do not show their thinking, so only the fact that they think can be reported.
      return [.piece(.reasoning(""))] + extend(part, reasoning: block.string("thinking"))
    case "redacted_thinking": return uncounted() + [.piece(.reasoning(""))]
    case "tool_use":
      let name = block.string("name") ?? ""
      part.place = add(
        .toolCall(.init(id: block.string("id") ?? "", name: name, arguments: "")))
      return uncounted()
        + [.piece(.toolCall(place: answer.toolCalls.count - 1, name: name, arguments: ""))]
    default: return uncounted()
    }
  }

  private mutating func add(_ block: ModelAnswer.Block) -> Int {
    answer.blocks.append(block)
    return answer.blocks.count - 1
  }

  private mutating func extend(_ data: JSONObject) -> [ModelEvent] {
    guard let index = data.integer("index"), let place = places[index],
      let delta = data.object("delta")
    else { return [] }
    switch delta.string("type") {
    case "text_delta": return extend(parts[place], text: delta.string("text"))
    case "thinking_delta": return extend(parts[place], reasoning: delta.string("thinking"))
    case "input_json_delta":
      guard let piece = delta.string("partial_json"), !piece.isEmpty else { return [] }
      parts[place].input += piece
      return uncounted() + callEvents(parts[place], piece)
    default:
      parts[place].store(delta)
      return uncounted()
    }
  }

  private mutating func extend(_ part: AnthropicPart, text: String?) -> [ModelEvent] {
    guard let text, !text.isEmpty, let place = part.place, case .text = answer.blocks[place]
    else { return [] }
    answer.extend(place, by: text)
    return uncounted() + [.piece(.text(text))]
  }

  private mutating func extend(_ part: AnthropicPart, reasoning: String?) -> [ModelEvent] {
    guard let reasoning, !reasoning.isEmpty, let place = part.place,
      case .reasoning = answer.blocks[place]
    else { return [] }
    answer.extend(place, by: reasoning)
    return uncounted() + [.piece(.reasoning(reasoning))]
  }

  private mutating func callEvents(_ part: AnthropicPart, _ piece: String) -> [ModelEvent] {
    guard let place = part.place, case .toolCall(let call) = answer.blocks[place] else { return [] }
    let earlier = answer.blocks[..<place].count { if case .toolCall = $0 { true } else { false } }
    return [.piece(.toolCall(place: earlier, name: call.name, arguments: piece))]
  }

  /// Marks the token counts received so far as incomplete.
  private mutating func uncounted() -> [ModelEvent] {
    tokens.goOn()
    return setUsage(nil)
  }

  private mutating func finishMessage(_ data: JSONObject) -> [ModelEvent] {
    let delta = data.object("delta")
    if let reason = delta?.string("stop_reason") { answer.stopReason = reason }
    if let details = delta?.object("stop_details") {
      refusal.category = details.string("category")
      refusal.explanation = details.string("explanation")
    }
    if let usage = data.object("usage") { tokens.finish(usage) }
    // A count before the stop reason is not the last one.
    return answer.stopReason == nil ? [] : [.terms(tokens.terms)] + reportUsage()
  }

  private mutating func reportUsage() -> [ModelEvent] {
    setUsage(tokens.usage.flatMap { answer.isPossible($0) ? $0 : nil })
  }

  private mutating func setUsage(_ usage: Usage?) -> [ModelEvent] {
    guard usage != answer.usage else { return [] }
    answer.usage = usage
    return [.usage(usage)]
  }

  private var refusalReason: String {
    refusal.category.map { " (category '\(Visible.line(String($0.prefix(64))))')" } ?? ""
  }

  private mutating func stop() throws(Failure) -> [ModelEvent] {
    guard hasStarted else { return [] }
    hasEndMark = true
    guard answer.stopReason != "refusal" else {
      declined = Failure(
        .modelRefused, "'\(answer.shownModel)' declined to answer\(refusalReason)", kind: .refusal,
        cause: refusal.explanation.map { Visible.line(String($0.prefix(500))) })
      return reportUsage() + [.declined(category: refusal.category)]
    }
    for part in parts {
      guard let place = part.place, case .toolCall(var call) = answer.blocks[place] else {
        continue
      }
      call.arguments = part.arguments
      answer.blocks[place] = .toolCall(call)
    }
    answer.opaque = AnthropicPart.opaque(parts, answer)
    return reportUsage() + [.answer(answer)]
  }
}

extension AnthropicStream: AnswerStream {}
