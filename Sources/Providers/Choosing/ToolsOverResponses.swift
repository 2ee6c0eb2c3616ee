import Core

/// The two APIs of a model that refuses tools over chat completions: requests with tools use the
/// Responses API.
struct ToolsOverResponses: Provider {
  /// The API of requests without tools.
  let usual: ChatCompletionsProvider
  /// The API of requests with tools.
  let withTools: ResponsesProvider

  func send(
    _ request: ModelRequest, model: String, receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    if request.tools.isEmpty {
      try await usual.send(request, model: model, receive: receive)
    } else {
      try await withTools.send(request, model: model, receive: receive)
    }
  }
}
