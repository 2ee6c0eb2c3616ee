import Foundation

public import Core
public import HTTP

/// OpenAI's chat completions, or one of the many servers that speak them.
///
/// `POST {base}/chat/completions`, streamed. The limit is sent as `max_completion_tokens` to
/// `api.openai.com`, whose reasoning models refuse the older `max_tokens`, and as `max_tokens` to
/// every other server, since many know no other name and ignore what they do not know. A temperature
/// is not sent to OpenAI's reasoning models, which refuse it.
public struct ChatCompletionsProvider: Provider {
  /// Where requests go unless `OPENAI_BASE_URL` or the configuration says otherwise.
  public static let defaultBase = "https://api.openai.com/v1"

  private let url: String
  private let key: String?
  private let timeouts: HTTPTimeouts
  private let client: HTTPClient
  private let isOpenAI: Bool

  /// Creates the provider.
  ///
  /// - Parameters:
  ///   - base: The base URL, with `/v1` where the server has it.
  ///   - key: The API key; nil for a server that needs none.
  ///   - timeouts: The limits of one request.
  ///   - client: What sends it.
  public init(base: String, key: String?, timeouts: HTTPTimeouts, client: HTTPClient) {
    url = joined(base, "/chat/completions")
    isOpenAI = URLComponents(string: base)?.host?.lowercased() == "api.openai.com"
    self.key = key
    self.timeouts = timeouts
    self.client = client
    if let key { Secrets.register(key) }
  }

  /// Sends a request and hands on the answer's pieces.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - model: The model's name, as the server knows it.
  ///   - receive: Is handed each piece; it throws to end the request.
  /// - Throws: As ``Provider/send(_:model:receive:)``.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var fields = [
      HTTPField("content-type", "application/json"), HTTPField("accept", "text/event-stream"),
    ]
    if let key { fields.append(HTTPField("authorization", "Bearer \(key)")) }
    let body = try encoded(self.body(request, model: model))
    let transfer = EventStreamTransfer(
      client: client,
      request: HTTPRequest(
        url: url, method: "POST", fields: fields, body: body, timeouts: timeouts))
    try await transfer.run(ChatCompletionsStream(source: Failure.shownURL(url)), receive: receive)
  }

  private func body(_ request: ModelRequest, model: String) -> Body {
    let system = WireMessage(role: "system", content: request.system)
    let limit = request.maximumOutputTokens
    return Body(
      maximumCompletionTokens: isOpenAI ? limit : nil, maximumTokens: isOpenAI ? nil : limit,
      messages: (request.system.isEmpty ? [] : [system]) + request.turns.map(WireMessage.init),
      model: model,
      temperature: isOpenAI && Self.isReasoning(model) ? nil : request.temperature)
  }

  private static func isReasoning(_ model: String) -> Bool {
    isNumberedO(model) || (model.hasPrefix("gpt-5") && !model.hasPrefix("gpt-5-chat"))
  }

  /// Whether a name begins as OpenAI's `o1` and `o3-mini` do.
  static func isNumberedO(_ name: String) -> Bool {
    let bytes = Array(name.utf8.prefix(2))
    return bytes.count == 2 && bytes[0] == 0x6F && bytes[1].isDigit
  }

  private struct Body: Encodable {
    struct StreamOptions: Encodable {
      enum CodingKeys: String, CodingKey {
        case includesUsage = "include_usage"
      }

      var includesUsage = true
    }

    enum CodingKeys: String, CodingKey {
      case messages, model, stream, temperature
      case maximumCompletionTokens = "max_completion_tokens"
      case maximumTokens = "max_tokens"
      case streamOptions = "stream_options"
    }

    var maximumCompletionTokens: Int?
    var maximumTokens: Int?
    var messages: [WireMessage]
    var model: String
    var stream = true
    var streamOptions = StreamOptions()
    var temperature: Double?
  }
}
