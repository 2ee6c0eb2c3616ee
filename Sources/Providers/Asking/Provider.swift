public import Core

/// A provider of answers: an API of models, or the embedded default.
///
/// A provider sends a request once. ``ModelClient`` handles retries, timeouts and cost.
public protocol Provider: Sendable {
  /// Sends a request to a model.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The model's name, without the provider's.
  ///   - receive: Receives each piece as it arrives; `answer` comes last and only if the answer is
  ///     complete. It throws to end the request.
  /// - Throws: The failure table's rows; `InvalidResponse` for a truncated answer.
  func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure)
}
