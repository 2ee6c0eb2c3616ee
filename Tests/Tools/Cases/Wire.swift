import Testing

/// The wires that models are asked over.
enum Wire: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case anthropic
  case chat
  case responses

  /// A model that is asked over it, where ``Scratch/serveWires(_:_:)`` serves it.
  var model: String {
    switch self {
    case .anthropic: "claude-sonnet-4-6"
    case .chat: "gpt-5.5"
    case .responses: "gpt-6-luna"
    }
  }

  /// The option that asks it.
  var option: String { "--model \(model)" }

  var testDescription: String { rawValue }

  /// A script in the words that servers of this wire use.
  func worded(_ script: String) -> String {
    self == .anthropic
      ? script : script.replacing("overloaded_error", with: "server_is_overloaded")
  }
}

extension Scratch {
  /// Serves models over all wires; one is asked over Responses, with prices of its own.
  @discardableResult
  func serveWires(_ script: String = "[]", _ arguments: String...) async throws -> Server {
    try write(
      "home/config/config.toml",
      """
      [models.gpt-6-luna]
      provider = "openai"
      kind = "responses"
      inputPricePerMillion = 1
      outputPricePerMillion = 4
      cacheReadPricePerMillion = 0.1
      cacheWritePricePerMillion = 1.25

      """)
    let file = try write("given/script.json", script)
    let server = try await Server(
      self, "model_server.py", ["--script", file, "--log-bodies"] + arguments, log: "model.log")
    set("ANTHROPIC_BASE_URL", server.url(""))
    set("OPENAI_BASE_URL", server.url("/v1"))
    set("ANTHROPIC_API_KEY", secret)
    set("OPENAI_API_KEY", secret)
    return server
  }

  /// The records of the one chat that there is.
  func keptTurns() async throws -> [Record] {
    let chat = try #require(try await shell("chat-log list").records("chat").first)
    return try await shell("chat-log show \(chat.id)").records("message")
  }
}

extension Record {
  /// Whether a member is true; nil where it is not there.
  func flag(_ path: String) -> Bool? { value(path) as? Bool }
}
