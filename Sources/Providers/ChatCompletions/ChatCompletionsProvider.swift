public import Core
import HTTP

/// OpenAI's chat completions, or one of the many servers that speak them.
///
/// `POST {base}/chat/completions`, streamed. The limit is sent as `max_completion_tokens` where
/// OpenAI's models are run by OpenAI, Azure or GitHub, since those that reason refuse the older
/// `max_tokens`, and as `max_tokens` to every other server, since many know no other name and ignore
/// what they do not know. A temperature is not sent to OpenAI's reasoning models, which refuse it.
public struct ChatCompletionsProvider: Provider {
  /// Where requests go unless `OPENAI_BASE_URL` or the configuration says otherwise.
  public static let defaultBase = "https://api.openai.com/v1"

  private let endpoint: OpenAIEndpoint

  /// Creates the provider.
  ///
  /// - Parameter endpoint: Whose server it is.
  public init(_ endpoint: OpenAIEndpoint) {
    self.endpoint = endpoint
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
      request: request, model: model, manners: endpoint.manners(model)
    ).text()
    try await endpoint.send(
      "/chat/completions", model: model, body,
      reading: { ChatCompletionsStream(source: $0) }, receive: receive)
  }
}
