public import Core
import HTTP

/// OpenAI's chat completions API, or that of a compatible server.
///
/// `POST {base}/chat/completions`, streamed. OpenAI and Azure, and models known to refuse
/// `max_tokens`, get the output limit as `max_completion_tokens`. Other servers get `max_tokens`,
/// because many of them do not know the newer name.
public struct ChatCompletionsProvider: Provider {
  /// The base URL if neither `OPENAI_BASE_URL` nor the configuration names one.
  public static let defaultBase = "https://api.openai.com/v1"

  private let endpoint: OpenAIEndpoint
  private let namesCompletionTokens: Bool

  /// Creates the provider.
  ///
  /// - Parameters:
  ///   - endpoint: The server.
  ///   - refusesMaxTokens: `true` if the model is known to refuse the name `max_tokens`.
  public init(_ endpoint: OpenAIEndpoint, refusesMaxTokens: Bool = false) {
    self.endpoint = endpoint
    namesCompletionTokens = refusesMaxTokens || endpoint.namesCompletionTokens
  }

  /// Sends a request and delivers the answer's pieces.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The server's name for the model.
  ///   - receive: Receives each piece; an error that it throws ends the request.
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
