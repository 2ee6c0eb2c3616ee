public import Core
import HTTP

/// OpenAI's Responses, or a server that speaks them.
///
/// `POST {base}/responses`, streamed.
public struct ResponsesProvider: Provider {
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
  /// - Throws: As ``Provider/send(_:model:receive:)``; `BadInput` for stop sequences.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    let body = try ResponsesBody(request: request, model: model).text()
    try await endpoint.send(
      "/responses", model: model, body, reading: { ResponsesStream(source: $0) },
      receive: receive)
  }
}
