public import Core
import Extraction

/// The embedded default: it quotes instead of writing, with no key and no network.
///
/// Nothing is charged.
public struct ExtractiveProvider: Provider {
  /// The name it goes by in every record.
  public static let modelName = "extractive"

  /// Creates the provider; it needs nothing.
  public init() {}

  /// Answers from the request's brief.
  ///
  /// - Parameters:
  ///   - request: What is asked; its brief is read, where it has one.
  ///   - model: Is not looked at.
  ///   - receive: Is handed the text, the usage of nothing, and the answer.
  /// - Throws: What `receive` throws, and `Interrupted` when the task is cancelled.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var answer = ModelAnswer()
    let brief = request.brief ?? request.asked
    let text = Extractor.text(brief)
    answer.blocks = [.text(text)]
    answer.quotesNothing = brief.role == .researcher && !Extractor.quotes(text)
    answer.model = Self.modelName
    answer.stopReason = "end_turn"
    answer.usage = Usage()
    guard !Task.isCancelled else {
      throw Failure(.interrupted, "the request was cancelled")
    }
    try receive(.piece(.text(answer.text)))
    try receive(.usage(Usage()))
    try receive(.answer(answer))
  }
}

extension ModelRequest {
  /// What the turns ask: the last one is the question, those before it are the material.
  fileprivate var asked: Brief {
    let question = turns.last?.text ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: question, task: question,
      sources: turns.dropLast().map { Brief.Material(source: $0.role, text: $0.text) })
  }
}
