import Catalogue
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
  /// Places in `answer.blocks` by the wire's index.
  private var places: [Int: Int] = [:]
  /// What the last count says; nil when more was answered after it.
  private var counted: Usage?
  /// The highest counts so far, those before the end of the answer included.
  private var highest: Usage?
  /// `false` once a report contradicted itself: no later one makes the usage known.
  private var isCountable = true
  private var size = AnswerSize()
  private var terms = ServiceTerms()
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
    guard let data = JSONObject(event.data) else {
      throw Failure(
        .invalidResponse, "'\(source)' sent an event that is not a JSON object", kind: .malformed)
    }
    try size.add(event.data.utf8.count, source: source)
    guard !data.has("error"), event.event != "error" else {
      throw ProviderError(data).failure(inStreamOf: source)
    }
    if let model = data.string("model"), !model.isEmpty { answer.model = model }
    var events: [ModelEvent] = []
    let before = terms
    terms.take(ServiceTerms(tier: data.string("service_tier")))
    if terms != before { events.append(.terms(terms)) }
    // Several choices are never asked for; a server that sends them all the same has a first one.
    if let choice = data.objects("choices").first(where: { $0.integer("index") ?? 0 == 0 }) {
      events += read(choice)
    }
    if let counts = data.object("usage") { count(counts) }
    return events + tellUsage()
  }

  private mutating func count(_ counts: JSONObject) {
    guard isCountable, let usage = Usage(chat: counts) else {
      (isCountable, counted) = (false, nil)
      return
    }
    let most = highest?.highest(usage) ?? usage
    highest = most
    // Without input, nothing is counted yet.
    counted = most.inputTokens > 0 ? most : nil
  }

  /// Tells the usage once the answer is at its end: some servers count as they go, and the counts of an
  /// answer that is cut are not those of its end.
  private mutating func tellUsage() -> [ModelEvent] {
    let isFinal = answer.stopReason != nil
    let usage = counted.flatMap { isFinal && answer.isPossible($0) ? $0 : nil }
    guard usage != answer.usage else { return [] }
    answer.usage = usage
    return [.usage(usage)]
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
        .modelRefused, "'\(answer.shownModel)' declined to answer: stopped by its content filter",
        kind: .contentFilter)
    }
    guard refusal.isEmpty else {
      throw Failure(
        .modelRefused, "'\(answer.shownModel)' declined to answer", kind: .refusal,
        cause: Visible.line(String(refusal.prefix(500))))
    }
    isDone = true
    // A call without arguments comes with no text for them.
    for place in answer.blocks.indices {
      guard case .toolCall(var call) = answer.blocks[place], call.arguments.isEmpty else {
        continue
      }
      call.arguments = "{}"
      answer.blocks[place] = .toolCall(call)
    }
    return [.answer(answer)]
  }

  var isWhole: Bool { answer.stopReason != nil }

  private mutating func read(_ choice: JSONObject) -> [ModelEvent] {
    var events: [ModelEvent] = []
    if let delta = choice.object("delta") {
      let reasoning = delta.string("reasoning_content") ?? delta.string("reasoning") ?? ""
      if !reasoning.isEmpty {
        answer.append(reasoning: reasoning)
        events.append(.piece(.reasoning(reasoning)))
      }
      if let text = delta.string("content"), !text.isEmpty {
        answer.append(text: text)
        events.append(.piece(.text(text)))
      }
      if let words = delta.string("refusal"), !words.isEmpty {
        refusal += words
        counted = nil
      }
      for (position, call) in delta.objects("tool_calls").enumerated() {
        events.append(extend(call, at: call.integer("index") ?? position))
      }
      if !events.isEmpty { counted = nil }
    }
    if let reason = choice.string("finish_reason"), !reason.isEmpty { answer.stopReason = reason }
    return events
  }

  private mutating func extend(_ call: JSONObject, at index: Int) -> ModelEvent {
    let place = places[index] ?? answer.blocks.count
    if place == answer.blocks.count {
      places[index] = place
      answer.blocks.append(.toolCall(.init(id: "", name: "", arguments: "")))
    }
    let function = call.object("function")
    let piece = function?.string("arguments") ?? function?.object("arguments")?.json ?? ""
    answer.extend(place, by: piece)
    guard case .toolCall(var known) = answer.blocks[place] else {
      return .piece(.toolCall(place: 0, name: "", arguments: piece))
    }
    // Ids and names come whole, and from some servers with every delta.
    if let id = call.word("id"), !id.isEmpty { known.id = id }
    if let name = function?.string("name"), !name.isEmpty { known.name = name }
    answer.blocks[place] = .toolCall(known)
    let earlier = answer.blocks[..<place].count { if case .toolCall = $0 { true } else { false } }
    return .piece(.toolCall(place: earlier, name: known.name, arguments: piece))
  }
}

extension ChatCompletionsStream: AnswerStream {}

extension Usage {
  /// The counts of a chunk's `usage`, with no input if it tells none; nil if they contradict each other.
  init?(chat usage: JSONObject) {
    let prompt = usage.object("prompt_tokens_details")
    let completion = usage.object("completion_tokens_details")
    let cached = prompt?.tokens("cached_tokens") ?? .absent
    let counts = [
      usage.tokens("prompt_tokens"), usage.tokens("completion_tokens"),
      usage.tokens("total_tokens"),
      cached == .absent ? usage.tokens("prompt_cache_hit_tokens") : cached,
      prompt?.tokens("cache_write_tokens") ?? .absent,
      completion?.tokens("reasoning_tokens") ?? .absent,
    ]
    guard !counts.contains(.impossible) else { return nil }
    let input = counts[0].value ?? 0
    let (read, write) = (counts[3].value ?? 0, counts[4].value ?? 0)
    let reasoning = counts[5].value ?? 0
    // Reasoning is counted inside the completion by OpenAI, beside it by xAI, and by some nowhere but
    // in the total: what the total holds over the input was answered.
    let output = max(counts[1].value ?? 0, (counts[2].value ?? 0) - input)
    guard read + write <= input, reasoning <= output else { return nil }
    self.init(
      inputTokens: input, outputTokens: output, cacheReadTokens: read, cacheWriteTokens: write,
      reasoningTokens: reasoning > 0 ? reasoning : nil)
  }
}
