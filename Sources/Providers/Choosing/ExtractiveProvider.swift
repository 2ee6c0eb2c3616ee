public import Core
import Extraction

/// The embedded default provider, which quotes instead of writing.
///
/// It needs no key and no network, and it costs nothing.
public struct ExtractiveProvider: Provider {
  /// The model's name in records.
  public static let modelName = "extractive"

  /// Creates the provider.
  public init() {}

  /// Answers from the request's brief.
  ///
  /// - Parameters:
  ///   - request: The request. If it has no brief, a brief is made from its turns.
  ///   - model: Unused.
  ///   - receive: Receives the text, an empty usage, and the answer.
  /// - Throws: As ``Extractor/answer(_:)``; the error of `receive`; `Interrupted` if the task is
  ///   cancelled.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var answer = ModelAnswer()
    let brief = request.brief ?? request.asked
    let text = try Extractor.answer(brief)
    answer.blocks = [.text(text)]
    answer.emptyReason = Extractor.emptyReason(of: text, to: brief)
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
  /// The brief made from the turns.
  ///
  /// The last turn is the question. The earlier turns are the material.
  fileprivate var asked: Brief {
    let question = turns.last?.text ?? ""
    return Brief(
      role: Role(rawValue: "assistant"), goal: question, task: question,
      sources: turns.dropLast().map { Brief.Material(source: $0.role, text: $0.text) })
  }
}
