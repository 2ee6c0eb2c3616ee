import Core

/// The failures of answers that OpenCode stores.
extension Failure {
  /// The codes of the errors whose name tells them.
  private static let codes: [String: FailureCode] = [
    "ContextOverflowError": .badInput, "MessageAbortedError": .interrupted,
    "ProviderAuthError": .missingAPIKey,
  ]
  /// The error of an answer that a limit of tokens ended.
  private static let cut = "MessageOutputLengthError"

  /// Creates the failure of an answer with the given error.
  init(openCode error: JSONObject) {
    let data = error.object("data")
    let name = error.string("name") ?? error.string("type")
    if name == Self.cut, let failure = Failure(endOfAnswer: "length") {
      self = failure
      return
    }
    let detail = data?.string("message") ?? error.string("message")
    self.init(
      call: [name, detail].compactMap(\.self).joined(separator: ": "),
      code: name.flatMap { Self.codes[$0] }, kind: name,
      status: data?.integer("statusCode") ?? error.integer("statusCode"))
  }
}
