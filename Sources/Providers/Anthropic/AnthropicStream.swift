public import Core
public import HTTP

/// Decodes the event stream of Anthropic's Messages API.
///
/// Pure: events go in, pieces of the answer come out. Unknown events, blocks, deltas and fields are
/// ignored; an answer is whole only with `message_stop`.
public struct AnthropicStream: Sendable {
  /// What a content block adds to; blocks of other types are for the server or for nobody.
  private enum Block {
    case text, thinking
    /// A place in `answer.toolCalls`, and whether a piece of its input has come.
    case tool(Int, hasPieces: Bool)
  }

  private let source: String
  private var answer = ModelAnswer()
  private var tokens = AnthropicTokens()
  private var blocks: [Int: Block] = [:]
  private var size = AnswerSize()
  private var hasStarted = false
  private var hasStopped = false

  /// Creates a decoder.
  ///
  /// - Parameter source: Who answers, for sentences: a URL.
  public init(source: String = "anthropic") {
    self.source = source
  }

  /// Reads the next event and returns the pieces it adds.
  ///
  /// - Throws: `ModelRefused` at the end of a refusal, the failure an `error` event stands for, and
  ///   `InvalidResponse` for what is not a stream of messages.
  public mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent] {
    guard !hasStopped else { return [] }
    guard let data = JSONObject(event.data) else {
      // What is unknown may look like anything.
      guard Self.known.contains(event.event) else { return [] }
      throw Failure(
        .invalidResponse, "'\(source)' sent an event that is not a JSON object", kind: .malformed)
    }
    try size.add(event.data.utf8.count, source: source)
    switch data.string("type") ?? event.event {
    case "message_start": return start(data.object("message"))
    case "content_block_start": return startBlock(data)
    case "content_block_delta": return extend(data)
    case "message_delta": return finishMessage(data)
    case "message_stop": return try stop()
    case "error": throw ProviderError(data).failure(inStreamOf: source)
    default: return []
    }
  }

  /// Reads the end of the stream.
  ///
  /// - Throws: `InvalidResponse` of kind `cut` when the answer is not whole.
  @discardableResult
  public mutating func finish() throws(Failure) -> [ModelEvent] {
    guard hasStopped else { throw .cutAnswer(source) }
    return []
  }

  var isWhole: Bool { hasStopped }

  private static let known: Set<String> = [
    "message_start", "content_block_start", "content_block_delta", "message_delta",
    "message_stop", "error",
  ]

  private mutating func start(_ message: JSONObject?) -> [ModelEvent] {
    // Of two starts in a row the first one voids nothing.
    let events: [ModelEvent] = answer.isEmpty ? [] : [.restart]
    hasStarted = true
    answer = ModelAnswer()
    blocks = [:]
    tokens = AnthropicTokens()
    answer.model = message?.string("model") ?? ""
    if let usage = message?.object("usage") { tokens.start(usage) }
    return events
  }

  private mutating func startBlock(_ data: JSONObject) -> [ModelEvent] {
    guard let index = data.integer("index"), let block = data.object("content_block") else {
      return []
    }
    switch block.string("type") {
    case "text":
      blocks[index] = .text
      return add(block.string("text"))
    case "thinking":
      blocks[index] = .thinking
      answer.reasoning += block.string("thinking") ?? ""
    case "tool_use":
      blocks[index] = .tool(answer.toolCalls.count, hasPieces: false)
      answer.toolCalls.append(
        ModelAnswer.ToolRequest(
          id: block.string("id") ?? "", name: block.string("name") ?? "",
          arguments: block.object("input")?.json ?? "{}"))
    default: blocks[index] = nil
    }
    return []
  }

  private mutating func extend(_ data: JSONObject) -> [ModelEvent] {
    guard let index = data.integer("index"), let block = blocks[index],
      let delta = data.object("delta")
    else { return [] }
    switch (block, delta.string("type")) {
    case (.text, "text_delta"): return add(delta.string("text"))
    case (.thinking, "thinking_delta"): answer.reasoning += delta.string("thinking") ?? ""
    case (.tool(let place, let hasPieces), "input_json_delta"):
      guard let piece = delta.string("partial_json"), !piece.isEmpty else { return [] }
      // The first piece replaces the empty input that the block started with.
      if !hasPieces { answer.toolCalls[place].arguments = "" }
      blocks[index] = .tool(place, hasPieces: true)
      answer.toolCalls[place].arguments += piece
    default: break
    }
    return []
  }

  private mutating func add(_ text: String?) -> [ModelEvent] {
    guard let text, !text.isEmpty else { return [] }
    answer.text += text
    // What was counted before is not all of it.
    tokens.isOutputTold = false
    return setUsage(nil) + [.text(text)]
  }

  private mutating func finishMessage(_ data: JSONObject) -> [ModelEvent] {
    if let reason = data.object("delta")?.string("stop_reason") { answer.stopReason = reason }
    if let usage = data.object("usage") { tokens.finish(usage) }
    // A count that is told before the reason to stop is not the last one.
    return answer.stopReason == nil ? [] : tellUsage()
  }

  private mutating func tellUsage() -> [ModelEvent] {
    setUsage(tokens.usage.flatMap { answer.isPossible($0) ? $0 : nil })
  }

  private mutating func setUsage(_ usage: Usage?) -> [ModelEvent] {
    guard usage != answer.usage else { return [] }
    answer.usage = usage
    return [.usage(usage)]
  }

  private mutating func stop() throws(Failure) -> [ModelEvent] {
    guard hasStarted else { return [] }
    guard answer.stopReason != "refusal" else {
      throw Failure(.modelRefused, "'\(answer.shownModel)' declined to answer", kind: .refusal)
    }
    hasStopped = true
    return tellUsage() + [.answer(answer)]
  }
}

extension AnthropicStream: AnswerStream {}
