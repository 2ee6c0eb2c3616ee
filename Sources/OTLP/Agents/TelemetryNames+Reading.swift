internal import Core
internal import Events

/// The names that a coding agent uses in its telemetry, and their meanings.
///
/// None of the agents follows OpenTelemetry's conventions in its logs and metrics. The names are
/// internal to the agents and may change with their versions.
struct AgentTable: Sendable {
  /// The meaning of an event.
  enum Meaning: Sendable {
    /// A model call that was answered.
    case call
    /// A model call that failed.
    case failure
    /// A tool call that ended. If it also reports a decision, it is both.
    case tool
    /// A decision on a tool call.
    case decision
    /// A prompt of a person.
    case prompt
    /// An event that says nothing that another event does not say.
    case nothing
  }

  /// The attributes that hold the counts of tokens.
  struct Tokens: Sendable {
    var input: String
    var output: String
    var cacheRead: String
    var cacheWrite: String?
    /// Those of `cacheWrite` that the cache keeps for an hour.
    var cacheWrite1h: String?
    var reasoning: String?
    /// The input tokens that results of tools add to `input`.
    var tool: String?
    /// `true` if `input` excludes tokens that were read from or written to a cache.
    var isInputUncached = false
    /// `true` if `output` excludes reasoning.
    var isOutputAnswer = false

    /// The attributes.
    var names: [String] {
      [input, output, cacheRead] + [cacheWrite, cacheWrite1h, reasoning, tool].compactMap(\.self)
    }
  }

  /// The short name of the agent.
  ///
  /// The ids of its sessions begin with it.
  var name: String
  /// The provider of the agent's models, in OpenTelemetry's form.
  var provider: String
  /// The provider of the agent's models, in the form of the catalogue.
  var catalogue: String
  /// `true` if the end of an answer is reported twice, once without counts.
  var repeatsCalls = false
  /// The values of `service.name` of the agent's programs.
  var services: Set<String>
  /// The beginning of the names of events and metrics.
  var prefix: String
  /// The attribute that holds the session's id, of a record or of the resource.
  var session: String
  /// The attribute that holds the id of a model call; nil if there is none.
  var callId: String?
  var tokens: Tokens
  /// The attribute that holds the cost of a model call in US dollars; nil if there is none.
  var costUSD: String?
  var toolName: String
  var toolCallId: String?
  /// The attributes that hold the reason of a failed model call.
  var failureReasons: [String]
  /// The attribute that holds the HTTP status of a failed model call.
  var failureStatus: String
  /// An attribute that divides the events of a name; its value follows the name after `/`.
  var kind: String?
  /// The meanings of events, by name without `prefix`.
  var meanings: [String: Meaning]
  /// The metric that counts tokens, without `prefix`.
  var tokenMetric: String?
  /// The counters that a point of `tokenMetric` adds to, by its attribute `type`.
  var tokenTypes: [String: [UsageCounter]] = [:]
  /// The metric that counts US dollars, without `prefix`; nil if there is none.
  var costMetric: String?
  /// The attributes that contain neither text of a person or model nor an address.
  var harmless: Set<String>

  /// The tables of all known agents.
  static let all = [claude, codex, gemini]

  /// Returns the table of the agent whose telemetry names the given service; nil if there is none.
  static func of(service: String?) -> AgentTable? {
    service.flatMap { service in all.first { $0.services.contains(service) } }
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
    return "\(name)-\(session)"
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
