internal import CodingAgents
internal import Core
internal import Events

extension TelemetryNames {
  /// Returns the names of the agent whose telemetry names the given service; nil if there is none.
  static func of(service: String?) -> TelemetryNames? {
    guard let service else { return nil }
    return CodingAgent.allCases.lazy.compactMap(\.telemetry)
      .first { $0.services.contains(service) }
  }

  /// The attributes that all agents use alike, and that are stored.
  static let commonlyHarmless: Set = [
    "app.version", "duration_ms", "event.sequence", "model", "prompt.id", "prompt_id",
    "prompt_length", "service.version", "source", "terminal.type", "type",
  ]

  /// Returns the id of the agent that runs the given session; nil without a session.
  ///
  /// Subagents of a session belong to the same agent.
  ///
  /// - Throws: `BadInput` if the session's id is too long.
  func agentId(ofSession session: String?) throws(Failure) -> String? {
    guard let session else { return nil }
    guard session.utf8.count <= Self.longestSession else {
      throw Failure(.badInput, "the id of a session is too long")
    }
    return "\(agent.rawValue)-\(session)"
  }

  /// The maximum length of a session's id in bytes.
  private static let longestSession = 200

  /// Returns the attributes that may be stored.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of a record.
  ///   - keepsContent: `true` to return all attributes.
  /// - Returns: The harmless attributes. Words of them that look like e-mail addresses are masked.
  func stored(
    _ attributes: [String: JSONValue], keepingContent keepsContent: Bool
  ) -> [String: JSONValue] {
    guard !keepsContent else { return attributes }
    var kept: [String: JSONValue] = [:]
    for (name, value) in attributes
    where harmless.contains(name) || Self.commonlyHarmless.contains(name) {
      switch value {
      case .string(let text): kept[name] = .string(Self.masked(text))
      case .bool, .int, .double: kept[name] = value
      case .array, .object, .null: break
      }
    }
    return kept
  }

  /// The longest text of an attribute in characters.
  private static let longestText = 500

  /// Returns the given text, cut, with words that look like e-mail addresses masked.
  static func masked(_ text: String) -> String {
    let text = text.count > longestText ? text.prefix(longestText) + "…" : text[...]
    guard text.contains("@") else { return String(text) }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.contains("@") ? "…" : String($0) }.joined(separator: " ")
  }

  /// Returns `true` if the given word of a decision refuses the tool call.
  static func isRefusal(_ decision: String) -> Bool {
    let word = decision.lowercased()
    return ["reject", "den", "abort", "cancel"].contains { word.hasPrefix($0) }
  }
}

extension TelemetryNames.Counter {
  /// The name of the metric, in the terms of OpenTelemetry's conventions for generative AI.
  var metric: String {
    let name: EventMetric =
      switch self {
      case .input: .inputTokens
      case .output: .outputTokens
      case .cacheRead: .cacheReadTokens
      case .cacheWrite: .cacheWriteTokens
      case .reasoning: .reasoningTokens
      case .costUSD: .costUSD
      }
    return name.rawValue
  }
}
