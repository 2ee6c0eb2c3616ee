extension OpenAIEndpoint {
  /// `true` if this server's name for the output limit is `max_completion_tokens`.
  ///
  /// OpenAI's reasoning models refuse the older `max_tokens`, which all other servers accept. Azure
  /// accepts the newer name for every model since API version 2024-09-01, and the name of a
  /// deployment does not reveal its model.
  var namesCompletionTokens: Bool {
    switch host {
    case .openAI: true
    case .azure(let version): version.map { $0 >= "2024-09-01" } ?? true
    case .gitHub, .other: false
    }
  }
}
