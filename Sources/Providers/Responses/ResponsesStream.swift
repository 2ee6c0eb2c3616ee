import Catalogue
public import Core
public import HTTP

/// A decoder of the event stream of OpenAI's Responses API.
///
/// An answer is complete only with `response.completed` or `response.incomplete`. That event
/// contains the whole answer, which replaces the delivered pieces. Pieces are assigned to items by
/// `output_index`, because some servers change the `item_id` with each event.
public struct ResponsesStream: Sendable {
  private let source: String
  /// The text delivered so far.
  private var reported = ""
  private var calls: [Int: (place: Int, name: String)] = [:]
  /// The model's refusal, or the failure that an `error` event reported.
  ///
  /// It is thrown at the end of the stream, because `response.failed` follows and reports the
  /// usage.
  private var failure: Failure?
  private var model = ""
  private var size = AnswerSize()
  private(set) var isWhole = false
  var hasEndMark: Bool { isWhole }

  /// Creates a decoder.
  ///
  /// - Parameter source: The URL of the server, for messages.
  public init(source: String = "openai") {
    self.source = source
  }

  /// Reads the next event and returns the model events that follow from it.
  ///
  /// - Throws: `InvalidResponse` if the event does not belong to a Responses stream.
  public mutating func push(_ event: ServerSentEvent) throws(Failure) -> [ModelEvent] {
    guard !isWhole, event.data != "[DONE]" else { return [] }
    guard let data = JSONObject(event.data) else {
      throw Failure(
        .invalidResponse, "'\(source)' sent an event that is not a JSON object", kind: .malformed)
    }
    try size.add(event.data.utf8.count, source: source)
    switch data.string("type") ?? event.event {
    case "response.created", "response.in_progress":
      model = data.object("response")?.string("model") ?? model
      return []
    case "response.output_item.added": return begin(data)
    case "response.output_text.delta":
      guard let text = data.string("delta"), !text.isEmpty else { return [] }
      reported += text
      return [.piece(.text(text))]
    case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
      return data.string("delta").map { $0.isEmpty ? [] : [.piece(.reasoning($0))] } ?? []
    case "response.function_call_arguments.delta":
      guard let call = data.integer("output_index").flatMap({ calls[$0] }),
        let piece = data.string("delta"), !piece.isEmpty
      else { return [] }
      return [.piece(.toolCall(place: call.place, name: call.name, arguments: piece))]
    case "response.completed", "response.incomplete":
      return end(data.object("response"), event.data)
    case "response.failed":
      let response = data.object("response")
      failure = failure ?? ProviderError(response).failure(inStreamOf: source)
      isWhole = true
      return [
        .terms(ServiceTerms(tier: response?.string("service_tier"))),
        .usage(response?.object("usage").flatMap { Usage(responses: $0) }),
      ]
    case "error":
      // `response.failed` repeats the error and adds the usage.
      failure = ProviderError(data).failure(inStreamOf: source)
      return []
    default: return []
    }
  }

  /// Reads the end of the stream.
  ///
  /// - Throws: `ModelRefused` if the model refused; the failure that the stream reported;
  ///   `InvalidResponse` of kind `cut` if the answer is incomplete.
  @discardableResult
  public mutating func finish() throws(Failure) -> [ModelEvent] {
    if let failure { throw failure }
    guard isWhole else { throw .cutAnswer(source) }
    return []
  }

  private mutating func begin(_ data: JSONObject) -> [ModelEvent] {
    if data.object("item")?.string("type") == "reasoning" { return [.piece(.reasoning(""))] }
    guard let item = data.object("item"), item.string("type") == "function_call",
      let index = data.integer("output_index"), calls[index] == nil
    else { return [] }
    let call = (place: calls.count, name: item.string("name") ?? "")
    calls[index] = call
    return [.piece(.toolCall(place: call.place, name: call.name, arguments: ""))]
  }

  private mutating func end(_ response: JSONObject?, _ json: String) -> [ModelEvent] {
    var answer = ModelAnswer()
    answer.model = response?.string("model") ?? model
    let reason = response?.object("incomplete_details")?.string("reason")
    answer.stopReason = reason ?? response?.string("status") ?? "completed"
    let output = response?.objects("output") ?? []
    var refusal: String?
    for item in output { refusal = Self.add(item, to: &answer) ?? refusal }
    let usage = response?.object("usage").flatMap { Usage(responses: $0) }
      .flatMap { answer.isPossible($0) ? $0 : nil }
    answer.usage = usage
    isWhole = true
    let terms = ModelEvent.terms(ServiceTerms(tier: response?.string("service_tier")))
    guard reason != "content_filter", refusal == nil else {
      failure = Failure(
        .modelRefused, "'\(answer.shownModel)' declined to answer",
        kind: refusal == nil ? .contentFilter : .refusal,
        cause: refusal.map { Visible.line(String($0.prefix(500))) })
      return [terms, .usage(usage), .declined(category: nil)]
    }
    if output.contains(where: Self.isOpaque) {
      answer.opaque = RawRecord(object: json)?.json("response")
        .flatMap { RawRecord(object: $0)?.json("output") }
        .map { Message.Opaque(api: ResponsesBody.api, content: $0) }
    }
    return [terms, .usage(usage)] + untold(answer.text) + [.answer(answer)]
  }

  /// Returns the events after which the delivered text equals the given text of the complete
  /// answer.
  private func untold(_ text: String) -> [ModelEvent] {
    guard text != reported else { return [] }
    if text.utf8.starts(with: reported.utf8) {
      return [
        .piece(.text(String(decoding: text.utf8.dropFirst(reported.utf8.count), as: UTF8.self)))
      ]
    }
    return [.restart] + (text.isEmpty ? [] : [.piece(.text(text))])
  }

  /// Adds the given output item to the answer, and returns the refusal in it, if any.
  private static func add(_ item: JSONObject, to answer: inout ModelAnswer) -> String? {
    var refusal: String?
    switch item.string("type") {
    case "message":
      for part in item.objects("content") {
        switch part.string("type") {
        case "output_text": answer.blocks.append(.text(part.string("text") ?? ""))
        case "refusal": refusal = (refusal ?? "") + (part.string("refusal") ?? "")
        default: break
        }
      }
    case "reasoning":
      let words = (item.objects("summary") + item.objects("content"))
        .compactMap { $0.string("text") }.joined(separator: "\n\n")
      if !words.isEmpty { answer.blocks.append(.reasoning(words)) }
    case "function_call":
      let arguments = item.string("arguments") ?? ""
      answer.blocks.append(
        .toolCall(
          .init(
            id: item.string("call_id") ?? "", name: item.string("name") ?? "",
            arguments: arguments.isEmpty ? "{}" : arguments)))
    default: break
    }
    return refusal
  }

  /// Returns `true` unless the given item is a text message.
  private static func isOpaque(_ item: JSONObject) -> Bool { item.string("type") != "message" }
}

extension ResponsesStream: AnswerStream {}

extension Usage {
  /// Creates the counts from a response's `usage`; nil if they are missing or impossible.
  init?(responses usage: JSONObject) {
    let input = usage.tokens("input_tokens")
    let output = usage.tokens("output_tokens")
    let read = usage.object("input_tokens_details")?.tokens("cached_tokens") ?? .absent
    let write = usage.object("input_tokens_details")?.tokens("cache_write_tokens") ?? .absent
    let reasoning = usage.object("output_tokens_details")?.tokens("reasoning_tokens") ?? .absent
    guard ![input, output, read, write, reasoning].contains(.impossible),
      let inputTokens = input.value, inputTokens > 0, let outputTokens = output.value,
      (read.value ?? 0) + (write.value ?? 0) <= inputTokens,
      reasoning.value ?? 0 <= outputTokens
    else { return nil }
    self.init(
      inputTokens: inputTokens, outputTokens: outputTokens, cacheReadTokens: read.value ?? 0,
      cacheWriteTokens: write.value ?? 0,
      reasoningTokens: reasoning.value.flatMap { $0 > 0 ? $0 : nil })
  }
}
