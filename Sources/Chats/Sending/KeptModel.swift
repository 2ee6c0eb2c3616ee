public import Core
import Providers

/// The model with which a chat continues unless an option names another.
///
/// This is the model of the last answer. If several models answered the last prompt, it is the
/// model of the chosen answer. Incomplete answers count only if the chat has no complete one.
public struct KeptModel: Sendable {
  /// The name of the model; nil if the chat is bound to none.
  public let name: String?
  private let option: String

  /// Finds the model to which the given turns bind their chat.
  ///
  /// - Parameters:
  ///   - turns: The turns, oldest first.
  ///   - option: The caller's option that selects models, for failure messages.
  /// - Throws: `BadUsage` if the last prompt has several answers and none is chosen.
  public init(of turns: [Message], option: String) throws(Failure) {
    self.option = option
    let answers = turns.filter(\.bindsChat)
    let whole = answers.filter { $0.complete != false }
    // If a model gave no answer, its prompt must not go to another model for that reason.
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
        .badUsage, "none of the models answered", input: last.chatId,
        nextStep: "choose one with \(option)")
    } else {
      let ids = group.map { "'\($0.id ?? "")' from '\(Visible.line($0.model ?? ""))'" }
      throw Failure(
        .badUsage,
        "there are several answers: \(ids.joined(separator: ", "))", input: last.chatId,
        nextStep: "choose one with 'chat-log choose ID', or a model with \(option)")
    }
  }

  /// Returns the given failure, with advice to choose another model if this one is unavailable.
  ///
  /// - Parameter failure: The failure of the request.
  /// - Returns: The failure. It is unchanged if the chat is bound to no model, or if the model
  ///   answered.
  public func explained(_ failure: Failure) -> Failure {
    guard let name, Self.codes.contains(failure.code) else { return failure }
    var failure = failure
    failure.nextStep =
      "the chat uses '\(Visible.line(name))', so choose another model with \(option)"
    return failure
  }

  /// The failure codes that mean that a model is unavailable.
  private static let codes: Set<FailureCode> = [
    .networkUnavailable, .notFound, .missingAPIKey, .authExpired, .permissionDenied,
    .quotaExhausted, .badConfiguration, .timeout, .serverError, .overloaded, .rateLimited,
  ]
}

extension Message {
  /// `true` if the answer binds its chat to its model.
  ///
  /// `extractive` also answers when no other model can. It therefore binds a chat only if a person
  /// named it.
  fileprivate var bindsChat: Bool {
    guard role == "assistant", let model, !model.isEmpty else { return false }
    return model != ExtractiveProvider.modelName || modelNamed == true || chosen == true
      || groupId != nil
  }
}
