public import Core

/// The embedded default: it quotes instead of writing.
public struct ExtractiveProvider: Provider {
  /// The name it goes by in every record.
  public static let modelName = "extractive"

  /// Creates the provider; it needs nothing.
  public init() {}

  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var answer = ModelAnswer()
    answer.text = """
      Made by extraction, not by a language model.

      ```json
      {"pipeline":[]}
      ```
      """
    answer.model = Self.modelName
    answer.stopReason = "end_turn"
    answer.usage = Usage()
    try receive(.text(answer.text))
    try receive(.usage(Usage()))
    try receive(.answer(answer))
  }
}
