extension OpenAIEndpoint {
  /// `true` if the output limit is called `max_completion_tokens` here.
  ///
  /// The older `max_tokens` is refused by OpenAI's reasoning models and known to all other servers.
  /// Azure takes the newer name for every model since version 2024-09-01 of its interface, which
  /// helps, since the name of a deployment does not tell its model.
  var namesCompletionTokens: Bool {
    switch host {
    case .openAI: true
    case .azure(let version): version.map { $0 >= "2024-09-01" } ?? true
    case .gitHub, .other: false
    }
  }
}
