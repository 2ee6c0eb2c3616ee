public import Core
import Extraction

/// The embedded default provider, which quotes instead of writing and needs no key and no network.
///
/// It is free of charge.
public struct ExtractiveProvider: Provider {
  /// The name of the model in records.
  public static let modelName = "extractive"

  /// Creates the provider.
  public init() {}

  /// Answers from the request's brief.
  ///
  /// - Parameters:
  ///   - request: The request; its brief is used if it has one.
  ///   - model: Unused.
  ///   - receive: Receives the text, an empty usage, and the answer.
  /// - Throws: The error of `receive`; `Interrupted` if the task is cancelled.
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
  /// The brief made from the turns: the last turn is the question, earlier turns are the material.
  fileprivate var asked: Brief {
    let question = turns.last?.text ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: question, task: question,
      sources: turns.dropLast().map { Brief.Material(source: $0.role, text: $0.text) })
  }
}
