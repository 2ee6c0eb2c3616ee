extension OpenAIEndpoint {
  /// `true` if the output limit has the name `max_completion_tokens` here.
  ///
  /// OpenAI's reasoning models refuse the older `max_tokens`, which all other servers accept. Azure
  /// accepts the newer name for every model since version 2024-09-01 of its interface, and the name
  /// of a deployment does not reveal its model.
  var namesCompletionTokens: Bool {
    switch host {
    case .openAI: true
    case .azure(let version): version.map { $0 >= "2024-09-01" } ?? true
    case .gitHub, .other: false
    }
  }
}
