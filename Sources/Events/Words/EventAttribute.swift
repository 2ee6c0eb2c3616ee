public import Core

/// The name of an attribute of a `traceEvent`: each is written here and nowhere else.
///
/// They are those of OpenTelemetry's conventions for generative AI (v1.41.1), and `agentpipes.…`
/// where those have none.
public enum EventAttribute: String, Sendable, CaseIterable {
  /// What is done; see ``EventOperation``.
  case operation = "gen_ai.operation.name"
  /// What the swarm is called.
  case workflowName = "gen_ai.workflow.name"
  /// The conversation; only in OpenTelemetry's own records, ours have a member for it.
  case conversationId = "gen_ai.conversation.id"
  /// The agent; only in OpenTelemetry's own records, ours have a member for it.
  case agentId = "gen_ai.agent.id"
  /// The swarm; only in OpenTelemetry's own records, ours have a member for it.
  case swarmId = "agentpipes.swarm.id"
  /// Whose model was asked.
  case provider = "gen_ai.provider.name"
  /// What the agent is called.
  case agentName = "gen_ai.agent.name"
  /// The model that was asked.
  case requestModel = "gen_ai.request.model"
  /// The model that answered.
  case responseModel = "gen_ai.response.model"
  /// The tool that was called.
  case toolName = "gen_ai.tool.name"
  /// The id that an agent gave the call of a tool.
  case toolCallId = "gen_ai.tool.call.id"
  /// The skill that was used; only read.
  case skillName = "gen_ai.skill.name"
  /// Whether a conversation was cut to fit the context; only read.
  case compacted = "gen_ai.conversation.compacted"

  /// Tokens that were sent, those of a cache among them.
  case inputTokens = "gen_ai.usage.input_tokens"
  /// Tokens that came back.
  case outputTokens = "gen_ai.usage.output_tokens"
  /// Tokens that a cache held.
  case cacheReadTokens = "gen_ai.usage.cache_read.input_tokens"
  /// Tokens that a cache was given.
  case cacheWriteTokens = "gen_ai.usage.cache_write.input_tokens"

  /// What kind of error ended it; absent where none did.
  case errorType = "error.type"
  /// What was said of that error.
  case statusDescription = "otel.status_description"
  /// The status that a process ended with.
  case exitCode = "process.exit.code"

  /// The signal that ended a process.
  case exitSignal = "agentpipes.exit.signal"
  /// How a run stands, or how it ended.
  case status = "agentpipes.status"
  /// What a run does, in a few words.
  case task = "agentpipes.task"
  /// The tmux session that an agent works in.
  case terminalSession = "agentpipes.terminal_session"
  /// That the event tells of nothing but that the run lives.
  case heartbeat = "agentpipes.heartbeat"
  /// After how many milliseconds that is told.
  case heartbeatMilliseconds = "agentpipes.heartbeat_ms"
  /// How long it took, where one event tells of all.
  case durationMilliseconds = "agentpipes.duration_ms"
  /// What it cost, in US dollars.
  case costUSD = "agentpipes.cost_usd"
  /// How much the model's context holds.
  case maxContextTokens = "agentpipes.context.max_tokens"
  /// Which part of what was said was said before.
  case redundancy = "agentpipes.redundancy"
  /// What a span is called whose event is named by what is done.
  case spanName = "agentpipes.span.name"
  /// What a span is to its peers, such as `client`; absent of one within a process.
  case spanKind = "agentpipes.span.kind"
  /// A whole event as JSON, where OpenTelemetry's records cannot say it otherwise; never in an event.
  case wholeEvent = "agentpipes.event"
  /// The tool of this toolbox that asked a model, or watched who did.
  case tool = "agentpipes.tool"
  /// Of how many calls the tokens are: ``turnScope``, or absent for one.
  case usageScope = "agentpipes.usage.scope"

  /// How the names of the types of our events begin, as OpenTelemetry has them.
  public static let typePrefix = "agentpipes."
  /// How the names of members of our events begin, where OpenTelemetry has none for them.
  public static let memberPrefix = "agentpipes.event."
  /// How the names of the labels of our events begin there.
  public static let labelPrefix = "agentpipes.label."

  /// The tokens are those of all calls of a turn.
  public static let turnScope = "turn"

  /// The names of those that tell a person no more than the event around them, or nothing.
  public static let minor = Set(
    [operation, agentName, task, heartbeat, heartbeatMilliseconds, tool, usageScope].map(\.rawValue)
  )

  /// The names under which it is read: its own, then those that it had before or has elsewhere.
  public var names: [String] { [rawValue] + aliases }

  private var aliases: [String] {
    switch self {
    case .provider: ["gen_ai.system"]
    case .inputTokens: ["gen_ai.usage.prompt_tokens"]
    case .outputTokens: ["gen_ai.usage.completion_tokens"]
    case .cacheWriteTokens: ["gen_ai.usage.cache_creation.input_tokens"]
    default: []
    }
  }
}

/// The attributes of an event that is made here.
public typealias EventAttributes = [EventAttribute: JSONValue]

extension EventAttributes {
  /// What a model used.
  public init(_ usage: Usage) {
    self = [
      .inputTokens: .int(usage.inputTokens), .outputTokens: .int(usage.outputTokens),
      .cacheReadTokens: .int(usage.cacheReadTokens),
      .cacheWriteTokens: .int(usage.cacheWriteTokens),
    ]
  }

  /// The attributes under their names, as a record has them.
  public var named: [String: JSONValue] {
    Dictionary<String, JSONValue>(
      uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
