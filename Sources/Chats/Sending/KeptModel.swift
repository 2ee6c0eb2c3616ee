public import Core
import Providers

/// The model that a chat goes on with unless an option names another one.
///
/// It is the model of the last answer, or of the one that was chosen among several. Answers that did
/// not arrive whole count only in a chat that has no other answers.
public struct KeptModel: Sendable {
  /// The model's name; nil if no answer binds the chat.
  public let name: String?
  private let option: String

  /// Finds the model among the turns of a chat.
  ///
  /// - Parameters:
  ///   - turns: The turns, the oldest first.
  ///   - option: The caller's option that names a model, as failures call it.
  /// - Throws: `BadUsage` if several answers to the last prompt stand and none is chosen.
  public init(of turns: [Message], option: String) throws(Failure) {
    self.option = option
    let answers = turns.filter(\.bindsChat)
    let whole = answers.filter { $0.complete != false }
    // A prompt whose model gave no answer goes to no other model for that reason.
    let standing = whole.isEmpty ? answers : whole
    guard let last = standing.last else {
      name = nil
      return
    }
    let group = last.groupId.map { id in standing.filter { $0.groupId == id } } ?? [last]
    let models = group.compactMap(\.model)
    if let chosen = group.first(where: { $0.chosen == true }) {
      name = chosen.model
    } else if models.count == 1 {
      name = models[0]
    } else if whole.isEmpty {
      throw Failure(
        .badUsage, "none of the models answered: choose one with \(option)",
        input: last.chatId)
    } else {
      let ids = group.map { "'\($0.id ?? "")' of '\(Visible.line($0.model ?? ""))'" }
      throw Failure(
        .badUsage,
        "there are several answers: choose one with 'chat-log choose ID', or a model with "
          + "\(option); the answers are \(ids.joined(separator: ", "))", input: last.chatId)
    }
  }

  /// A failure of a model that cannot be asked, with the way to go on.
  ///
  /// - Parameter failure: The failure of asking the model.
  /// - Returns: The failure; unchanged if the chat keeps no model, or if the model answered.
  public func explained(_ failure: Failure) -> Failure {
    guard let name, Self.codes.contains(failure.code) else { return failure }
    var failure = failure
    failure.explanation +=
      "; the chat uses '\(Visible.line(name))': choose another model with \(option)"
    return failure
  }

  /// The failures of a model that cannot be asked, or that does not answer for now.
  private static let codes: Set<FailureCode> = [
    .networkUnavailable, .notFound, .missingAPIKey, .authExpired, .permissionDenied,
    .quotaExhausted, .badConfiguration, .timeout, .serverError, .overloaded, .rateLimited,
  ]
}

extension Message {
  /// `true` if a chat keeps the model of this answer.
  ///
  /// `extractive` answers where no other model can; it binds a chat only if a person wanted it.
  fileprivate var bindsChat: Bool {
    guard role == "assistant", let model, !model.isEmpty else { return false }
    return model != ExtractiveProvider.modelName || modelNamed == true || chosen == true
      || groupId != nil
  }
}
