public import Core

/// Something that answers requests: a model behind a wire, or the embedded default.
///
/// A provider sends a request once. Retries, timeouts and cost are ``ModelClient``'s.
public protocol Provider: Sendable {
  /// Sends a request to a model.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - model: The model's name, without the provider's.
  ///   - receive: Is handed each piece as it arrives; `answer` comes last and only when the answer
  ///     is whole. It throws to end the request.
  /// - Throws: The failure table's rows; `InvalidResponse` for an answer that was cut.
  func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure)
}
