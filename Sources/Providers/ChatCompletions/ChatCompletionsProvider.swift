public import Core
import HTTP

/// OpenAI's chat completions, or one of the many servers that speak them.
///
/// `POST {base}/chat/completions`, streamed. The limit is sent as `max_completion_tokens` where
/// OpenAI's models are run by OpenAI, Azure or GitHub, since those that reason refuse the older
/// `max_tokens`, and as `max_tokens` to every other server, since many know no other name and ignore
/// what they do not know.
public struct ChatCompletionsProvider: Provider {
  /// Where requests go unless `OPENAI_BASE_URL` or the configuration says otherwise.
  public static let defaultBase = "https://api.openai.com/v1"

  private let endpoint: OpenAIEndpoint
  private let namesCompletionTokens: Bool

  /// Creates the provider.
  ///
  /// - Parameters:
  ///   - endpoint: The server.
  ///   - refusesMaxTokens: `true` if the model is known to refuse the older name of the limit.
  public init(_ endpoint: OpenAIEndpoint, refusesMaxTokens: Bool = false) {
    self.endpoint = endpoint
    namesCompletionTokens = refusesMaxTokens || endpoint.namesCompletionTokens
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
    let body = try ChatCompletionsBody(
      request: request, model: model, namesCompletionTokens: namesCompletionTokens
    ).text()
    try await endpoint.send(
      "/chat/completions", model: model, body,
      reading: { ChatCompletionsStream(source: $0) }, receive: receive)
  }
}
