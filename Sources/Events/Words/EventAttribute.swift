public import Core

/// The names of a `traceEvent`'s attributes, which are written nowhere else.
///
/// They are those of OpenTelemetry's conventions for generative AI (v1.41.1), and `agentpipes.…`
/// for attributes that those lack.
public enum EventAttribute: String, Sendable, CaseIterable {
  /// The operation; see ``EventOperation``.
  case operation = "gen_ai.operation.name"
  /// The name of the swarm.
  case workflowName = "gen_ai.workflow.name"
  /// The conversation; only in OpenTelemetry's own records, since our events have a member for it.
  case conversationId = "gen_ai.conversation.id"
  /// The agent; only in OpenTelemetry's own records, since our events have a member for it.
  case agentId = "gen_ai.agent.id"
  /// The swarm; only in OpenTelemetry's own records, since our events have a member for it.
  case swarmId = "agentpipes.swarm.id"
  /// The provider of the model.
  case provider = "gen_ai.provider.name"
  /// The name of the agent.
  case agentName = "gen_ai.agent.name"
  /// The requested model.
  case requestModel = "gen_ai.request.model"
  /// The model that answered.
  case responseModel = "gen_ai.response.model"
  /// The tool that was called.
  case toolName = "gen_ai.tool.name"
  /// The agent's id of a tool call.
  case toolCallId = "gen_ai.tool.call.id"
  /// The skill in use; read only, never written.
  case skillName = "gen_ai.skill.name"
  /// The mark of a conversation that was cut to fit the context; read only, never written.
  case compacted = "gen_ai.conversation.compacted"

  /// The number of input tokens, including cached ones.
  case inputTokens = "gen_ai.usage.input_tokens"
  /// The number of output tokens.
  case outputTokens = "gen_ai.usage.output_tokens"
  /// The number of tokens that were read from a cache.
  case cacheReadTokens = "gen_ai.usage.cache_read.input_tokens"
  /// The number of tokens that were written to a cache.
  case cacheWriteTokens = "gen_ai.usage.cache_write.input_tokens"

  /// The type of the error that ended the operation; absent without an error.
  case errorType = "error.type"
  /// The description of the error.
  case statusDescription = "otel.status_description"
  /// The exit status of a process.
  case exitCode = "process.exit.code"

  /// The signal that ended a process.
  case exitSignal = "agentpipes.exit.signal"
  /// The status of a run, or its outcome.
  case status = "agentpipes.status"
  /// The task of a run, in a few words.
  case task = "agentpipes.task"
  /// The tmux session that an agent works in.
  case terminalSession = "agentpipes.terminal_session"
  /// The mark of an event that only shows that the run lives.
  case heartbeat = "agentpipes.heartbeat"
  /// The milliseconds between such events.
  case heartbeatMilliseconds = "agentpipes.heartbeat_ms"
  /// The duration, if one event describes the whole span.
  case durationMilliseconds = "agentpipes.duration_ms"
  /// The cost in US dollars.
  case costUSD = "agentpipes.cost_usd"
  /// The size of the model's context in tokens.
  case maxContextTokens = "agentpipes.context.max_tokens"
  /// The fraction of the text that repeats earlier text.
  case redundancy = "agentpipes.redundancy"
  /// The name of a span whose event is named by its operation.
  case spanName = "agentpipes.span.name"
  /// The role of a span towards its peers, such as `client`; absent within a process.
  case spanKind = "agentpipes.span.kind"
  /// A whole event as JSON, if OpenTelemetry's records cannot represent it; never in an event.
  case wholeEvent = "agentpipes.event"
  /// The tool of this toolbox that called the model, or watched the call.
  case tool = "agentpipes.tool"
  /// The scope of the token counts: ``turnScope``, or absent for one call.
  case usageScope = "agentpipes.usage.scope"

  /// The prefix of our events' types in OpenTelemetry.
  public static let typePrefix = "agentpipes."
  /// The prefix of our events' members that OpenTelemetry lacks.
  public static let memberPrefix = "agentpipes.event."
  /// The prefix of our events' labels in OpenTelemetry.
  public static let labelPrefix = "agentpipes.label."

  /// The scope of token counts that cover all calls of a turn.
  public static let turnScope = "turn"

  /// The attributes that add nothing for a person to the event around them.
  public static let minor = Set(
    [operation, agentName, task, heartbeat, heartbeatMilliseconds, tool, usageScope].map(\.rawValue)
  )

  /// The names under which the attribute is read: its own, and earlier or alternative ones.
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

/// The attributes of an event that is created here.
public typealias EventAttributes = [EventAttribute: JSONValue]

extension EventAttributes {
  /// Creates the attributes of a model's usage.
  public init(_ usage: Usage) {
    self = [
      .inputTokens: .int(usage.inputTokens), .outputTokens: .int(usage.outputTokens),
      .cacheReadTokens: .int(usage.cacheReadTokens),
      .cacheWriteTokens: .int(usage.cacheWriteTokens),
    ]
  }

  /// The attributes by name, in the form of a record.
  public var named: [String: JSONValue] {
    Dictionary<String, JSONValue>(
      uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
