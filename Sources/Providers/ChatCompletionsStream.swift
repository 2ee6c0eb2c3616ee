public import Core
public import HTTP

/// Decodes the event stream of OpenAI's chat completions, and of the many servers that almost speak
/// it.
///
/// An answer is whole only with a `finish_reason`; the usage may come after it, so that the answer is
/// handed on at `[DONE]` or, where a server sends none, at the end of the stream. Tool calls are
/// merged by their `index`, which may start anywhere.
public struct ChatCompletionsStream: Sendable {
  private let source: String
  private var answer = ModelAnswer()
  private var refusal = ""
  /// Places in `answer.toolCalls` by the wire's index.
  private var places: [Int: Int] = [:]
  private var size = AnswerSize()
  private var isDone = false

  /// Creates a decoder.
  ///
  /// - Parameter source: Who answers, for sentences: a URL.
  public init(source: String = "openai") {
    self.source = source
  }

  /// Reads the next event and returns the pieces it adds.
  ///
  /// - Throws: `ModelRefused` at the end of a refusal, the failure that an `error` member stands for,
  ///   `InvalidResponse` for what is not a stream of chunks, or is ended by `[DONE]` too early.
  public mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent] {
    guard !isDone else { return [] }
    guard event.data != "[DONE]" else { return try finish() }
    guard let data = WireObject(event.data) else {
      throw Failure(
        .invalidResponse, "'\(source)' sent an event that is not a JSON object", kind: "malformed")
    }
    try size.add(event.data.utf8.count, source: source)
    guard !data.has("error"), event.event != "error" else {
      throw ProviderError(data).failure(inStreamOf: source)
    }
    if let model = data.text("model"), !model.isEmpty { answer.model = model }
    var events: [ModelEvent] = []
    // Several choices are never asked for; a server that sends them all the same has a first one.
    if let choice = data.objects("choices").first(where: { $0.integer("index") ?? 0 == 0 }) {
      events += read(choice)
    }
    if let usage = Usage(chat: data.object("usage")), usage != answer.usage {
      answer.usage = usage
      events.append(.usage(usage))
    }
    return events
  }

  /// Reads the end of the stream, and hands on the answer that no `[DONE]` ended.
  ///
  /// - Throws: `InvalidResponse` of kind `cut` when the answer is not whole, `ModelRefused` for a
  ///   refusal.
  @discardableResult
  public mutating func finish() throws(Failure) -> [ModelEvent] {
    guard !isDone else { return [] }
    guard answer.stopReason != nil else { throw .cutAnswer(source) }
    guard answer.stopReason != "content_filter" else {
      throw Failure(
        .modelRefused, "'\(answer.shownModel)' declined to answer: its content filter stopped it",
        kind: "contentFilter")
    }
    guard refusal.isEmpty else {
      throw Failure(
        .modelRefused, "'\(answer.shownModel)' declined to answer", kind: "refusal",
        cause: Visible.line(String(refusal.prefix(500))))
    }
    isDone = true
    // A call without arguments comes with no text for them.
    for place in answer.toolCalls.indices where answer.toolCalls[place].arguments.isEmpty {
      answer.toolCalls[place].arguments = "{}"
    }
    return [.answer(answer)]
  }

  var isWhole: Bool { answer.stopReason != nil }

  private mutating func read(_ choice: WireObject) -> [ModelEvent] {
    var events: [ModelEvent] = []
    if let delta = choice.object("delta") {
      if let text = delta.text("content"), !text.isEmpty {
        answer.text += text
        events.append(.text(text))
      }
      answer.reasoning += delta.text("reasoning_content") ?? delta.text("reasoning") ?? ""
      refusal += delta.text("refusal") ?? ""
      for (position, call) in delta.objects("tool_calls").enumerated() {
        extend(call, at: call.integer("index") ?? position)
      }
    }
    if let reason = choice.text("finish_reason"), !reason.isEmpty { answer.stopReason = reason }
    return events
  }

  private mutating func extend(_ call: WireObject, at index: Int) {
    let place = places[index] ?? answer.toolCalls.count
    if place == answer.toolCalls.count {
      places[index] = place
      answer.toolCalls.append(ModelAnswer.ToolCall(id: "", name: "", arguments: ""))
    }
    let function = call.object("function")
    // Ids and names come whole, and from some servers with every delta.
    if let id = call.word("id"), !id.isEmpty { answer.toolCalls[place].id = id }
    if let name = function?.text("name"), !name.isEmpty { answer.toolCalls[place].name = name }
    answer.toolCalls[place].arguments +=
      function?.text("arguments") ?? function?.object("arguments")?.json ?? ""
  }
}

extension Usage {
  /// The counts of a chunk's `usage`; nil when it tells none.
  init?(chat usage: WireObject?) {
    guard let usage, let input = usage.count("prompt_tokens") else { return nil }
    let prompt = usage.object("prompt_tokens_details")
    let reasoning = usage.object("completion_tokens_details")?.count("reasoning_tokens") ?? 0
    var output = usage.count("completion_tokens") ?? 0
    // xAI counts reasoning beside the completion, OpenAI inside it; the total tells them apart.
    let (beside, overflow) = output.addingReportingOverflow(reasoning)
    if !overflow, let total = usage.count("total_tokens"), reasoning > 0, total >= input,
      total - input == beside
    {
      output = beside
    }
    self.init(
      inputTokens: input, outputTokens: output,
      cacheReadTokens: min(
        prompt?.count("cached_tokens") ?? usage.count("prompt_cache_hit_tokens") ?? 0, input),
      cacheWriteTokens: prompt?.count("cache_write_tokens") ?? 0,
      reasoningTokens: reasoning > 0 ? reasoning : nil)
  }
}
