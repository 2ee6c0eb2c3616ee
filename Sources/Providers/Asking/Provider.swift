public import Core

/// A source of answers: the API of a model provider, or the embedded default.
///
/// A provider sends a request once. ``ModelClient`` handles retries, timeouts and cost.
public protocol Provider: Sendable {
  /// Sends a request to a model.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The model's name, without the name of the provider.
  ///   - receive: Receives each piece as it arrives, and the event `answer` last if the answer is
  ///     complete. An error that it throws ends the request.
  /// - Throws: The failure that corresponds to the response's status; `InvalidResponse` if the
  ///   answer is truncated.
  func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure)
}
