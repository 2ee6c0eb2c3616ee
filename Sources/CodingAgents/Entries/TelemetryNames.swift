/// The names that a coding agent uses in its telemetry, and their meanings.
///
/// None of the agents follows OpenTelemetry's conventions in its logs and metrics. The names are
/// internal to the agents and may change with their versions.
public struct TelemetryNames: Sendable {
  /// The meaning of an event.
  public enum Meaning: Sendable {
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

  /// A counter of tokens or money.
  ///
  /// ``input`` includes cached tokens, and ``output`` includes reasoning.
  public enum Counter: String, Sendable, CaseIterable {
    case input, output, cacheRead, cacheWrite, reasoning, costUSD
  }

  /// The attributes that hold the counts of tokens.
  public struct Tokens: Sendable {
    /// The input tokens.
    public var input: String
    /// The output tokens.
    public var output: String
    /// The input tokens that were read from a cache.
    public var cacheRead: String
    /// The input tokens that were written to a cache.
    public var cacheWrite: String?
    /// Those of `cacheWrite` that the cache keeps for an hour.
    public var cacheWrite1h: String?
    /// The tokens of reasoning.
    public var reasoning: String?
    /// The input tokens that results of tools add to `input`.
    public var tool: String?
    /// `true` if `input` excludes tokens that were read from or written to a cache.
    public var isInputUncached = false
    /// `true` if `output` excludes reasoning.
    public var isOutputAnswer = false

    /// The attributes.
    public var names: [String] {
      [input, output, cacheRead] + [cacheWrite, cacheWrite1h, reasoning, tool].compactMap(\.self)
    }
  }

  /// The program.
  public var agent: CodingAgent
  /// The provider of the agent's models, in OpenTelemetry's form.
  public var provider: String
  /// `true` if the end of an answer is reported twice, once without counts.
  public var repeatsCalls = false
  /// The values of `service.name` of the agent's programs.
  public var services: Set<String>
  /// The beginning of the names of events and metrics.
  public var prefix: String
  /// The attribute that holds the session's id, of a record or of the resource.
  public var session: String
  /// The attribute that holds the id of a model call; nil if there is none.
  public var callId: String?
  /// The attributes that hold the counts of a model call.
  public var tokens: Tokens
  /// The attribute that holds the cost of a model call in US dollars; nil if there is none.
  public var costUSD: String?
  /// The attribute that holds the name of a tool.
  public var toolName: String
  /// The attribute that holds the id of a tool call; nil if there is none.
  public var toolCallId: String?
  /// The attributes that hold the reason of a failed model call.
  public var failureReasons: [String]
  /// The attribute that holds the HTTP status of a failed model call.
  public var failureStatus: String
  /// An attribute that divides the events of a name; its value follows the name after `/`.
  public var kind: String?
  /// The meanings of events, by name without `prefix`.
  public var meanings: [String: Meaning]
  /// The metric that counts tokens, without `prefix`.
  public var tokenMetric: String?
  /// The counters that a point of `tokenMetric` adds to, by its attribute `type`.
  public var tokenTypes: [String: [Counter]] = [:]
  /// The metric that counts US dollars, without `prefix`; nil if there is none.
  public var costMetric: String?
  /// The attributes that contain neither text of a person or model nor an address.
  public var harmless: Set<String>
}
