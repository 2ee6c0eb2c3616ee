import Foundation

public import Core
import HTTP

/// OpenAI's chat completions, or one of the many servers that speak them.
///
/// `POST {base}/chat/completions`, streamed. The limit is sent as `max_completion_tokens` to
/// `api.openai.com`, whose reasoning models refuse the older `max_tokens`, and as `max_tokens` to
/// every other server, since many know no other name and ignore what they do not know. A temperature
/// is not sent to OpenAI's reasoning models, which refuse it.
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
    let isOpenAI = endpoint.isOpenAI
    let manners = ChatCompletionsBody.Manners(
      namesCompletionTokens: isOpenAI,
      refusesTemperature: isOpenAI && OpenAIEndpoint.isReasoning(model))
    let body = try ChatCompletionsBody(request: request, model: model, manners: manners).text()
    let transfer = endpoint.transfer("/chat/completions", model: model, body)
    try await transfer.run(
      ChatCompletionsStream(source: Failure.shownURL(transfer.request.url)), receive: receive)
  }
}
