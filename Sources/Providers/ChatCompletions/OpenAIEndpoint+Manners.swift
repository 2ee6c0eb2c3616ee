extension OpenAIEndpoint {
  /// What a model wants that is asked here.
  ///
  /// The older `max_tokens` is refused by OpenAI's reasoning models and known to all other servers.
  /// Azure takes the newer name for every model since version 2024-09-01 of its interface, which is
  /// well, since a deployment's name does not tell its model.
  func manners(_ model: String) -> ChatCompletionsBody.Manners {
    let reasons = Self.isReasoning(model)
    switch host {
    case .openAI: return .init(namesCompletionTokens: true, refusesTemperature: reasons)
    case .azure(let version):
      return .init(
        namesCompletionTokens: version.map { $0 >= "2024-09-01" } ?? true,
        refusesTemperature: reasons)
    case .gitHub:
      let publisher = "openai/"
      let isReasoning =
        model.hasPrefix(publisher) && Self.isReasoning(String(model.dropFirst(publisher.count)))
      return .init(namesCompletionTokens: isReasoning, refusesTemperature: isReasoning)
    case .other: return .init()
    }
  }
}
