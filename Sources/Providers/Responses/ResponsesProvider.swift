public import Core
import HTTP

/// OpenAI's Responses API, or that of a compatible server.
///
/// `POST {base}/responses`, streamed.
public struct ResponsesProvider: Provider {
  private let endpoint: OpenAIEndpoint
  private let reasons: Bool

  /// Creates the provider.
  ///
  /// - Parameters:
  ///   - endpoint: The server.
  ///   - reasons: `true` if the model reasons.
  public init(_ endpoint: OpenAIEndpoint, reasons: Bool) {
    self.endpoint = endpoint
    self.reasons = reasons
  }

  /// Sends a request and delivers the answer's pieces.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The server's name for the model.
  ///   - receive: Receives each piece; an error that it throws ends the request.
  /// - Throws: As ``Provider/send(_:model:receive:)``; `BadInput` if there are stop sequences.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    let body = try ResponsesBody(request: request, model: model, reasons: reasons).text()
    try await endpoint.send(
      "/responses", model: model, body, reading: { ResponsesStream(source: $0) },
      receive: receive)
  }
}
