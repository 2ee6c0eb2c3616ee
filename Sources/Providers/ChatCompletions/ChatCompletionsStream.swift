import Catalogue
public import Core
public import HTTP

/// A decoder of the event stream of OpenAI's chat completions API and of similar servers.
///
/// An answer is complete only with a `finish_reason`. The usage may come after it. The answer is
/// therefore delivered at `[DONE]` or, if the server omits that mark, at the end of the stream. The
/// pieces of a tool call share an `index`. The first index may be any number.
public struct ChatCompletionsStream: Sendable {
  private let source: String
  private var answer = ModelAnswer()
  private var refusal = ""
  /// The positions in `answer.blocks` by the index of the tool call in the stream.
  private var places: [Int: Int] = [:]
  /// The last reported counts; nil if more of the answer came after them.
  private var counted: Usage?
  /// The highest counts so far, including counts that were reported before the answer ended.
  private var highest: Usage?
  /// `false` after a report that contradicts itself.
  ///
  /// The usage then stays unknown.
  private var isCountable = true
  private var size = AnswerSize()
  private var terms = ServiceTerms()
  private(set) var hasEndMark = false

  /// Creates a decoder.
  ///
  /// - Parameter source: The URL of the server, for messages.
  public init(source: String = "openai") {
    self.source = source
  }

  /// Reads the next event and returns the model events that follow from it.
  ///
  /// - Throws: `ModelRefused` if the answer ends as a refusal; the failure that an `error` member
  ///   reports; `InvalidResponse` if the event is not a chunk, or if `[DONE]` comes too early.
  public mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent] {
    guard !hasEndMark else { return [] }
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
    terms.merge(ServiceTerms(tier: data.string("service_tier")))
    if terms != before { events.append(.terms(terms)) }
    // Only one choice is requested; if a server sends more, the first one is used.
    if let choice = data.objects("choices").first(where: { $0.integer("index") ?? 0 == 0 }) {
      events += read(choice)
    }
    if let counts = data.object("usage") { count(counts) }
    return events + reportUsage()
  }

  private mutating func count(_ counts: JSONObject) {
    guard isCountable, let usage = Usage(chat: counts) else {
      (isCountable, counted) = (false, nil)
      return
    }
    let most = highest?.highest(usage) ?? usage
    highest = most
    // Counts without input tokens are not valid yet.
    counted = most.inputTokens > 0 ? most : nil
  }

  /// Reports the usage after the answer has ended.
  ///
  /// Some servers report running counts. These are not final if the answer is cut.
  private mutating func reportUsage() -> [ModelEvent] {
    let isFinal = answer.stopReason != nil
    let usage = counted.flatMap { isFinal && answer.isPossible($0) ? $0 : nil }
    guard usage != answer.usage else { return [] }
    answer.usage = usage
    return [.usage(usage)]
  }

  /// Reads the end of the stream, and delivers the answer if it was not yet delivered at `[DONE]`.
  ///
  /// - Throws: `InvalidResponse` of kind `cut` if the answer is incomplete; `ModelRefused` if the
  ///   model refused.
  @discardableResult
  public mutating func finish() throws(Failure) -> [ModelEvent] {
    guard !hasEndMark else { return [] }
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
    hasEndMark = true
    // A tool call without arguments may have an empty text in their place.
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
    // Ids and names arrive whole, and some servers repeat them in every delta.
    if let id = call.word("id"), !id.isEmpty { known.id = id }
    if let name = function?.string("name"), !name.isEmpty { known.name = name }
    answer.blocks[place] = .toolCall(known)
    let earlier = answer.blocks[..<place].count { if case .toolCall = $0 { true } else { false } }
    return .piece(.toolCall(place: earlier, name: known.name, arguments: piece))
  }
}

extension ChatCompletionsStream: AnswerStream {}

extension Usage {
  /// Creates the counts from a chunk's `usage`, with 0 input tokens if none are reported; nil if
  /// the counts contradict each other.
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
    // OpenAI includes reasoning in the completion tokens, xAI reports it separately, and others
    // include it only in the total. So the output is at least the total minus the input.
    let output = max(counts[1].value ?? 0, (counts[2].value ?? 0) - input)
    guard read + write <= input, reasoning <= output else { return nil }
    self.init(
      inputTokens: input, outputTokens: output, cacheReadTokens: read, cacheWriteTokens: write,
      reasoningTokens: reasoning > 0 ? reasoning : nil)
  }
}
