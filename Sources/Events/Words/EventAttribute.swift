public import Core

/// The names of the attributes of a `traceEvent`.
///
/// The names are those of OpenTelemetry's conventions for generative AI (v1.41.1). Attributes that
/// these conventions lack are named `agentpipes.…`.
public enum EventAttribute: String, Sendable, CaseIterable {
  /// The operation of the span: the raw value of an ``EventOperation``.
  case operation = "gen_ai.operation.name"
  /// The name of the swarm.
  case workflowName = "gen_ai.workflow.name"
  /// The id of the conversation.
  ///
  /// It is used only in OpenTelemetry's records, because our events have a member for it.
  case conversationId = "gen_ai.conversation.id"
  /// The id of the agent.
  ///
  /// It is used only in OpenTelemetry's records, because our events have a member for it.
  case agentId = "gen_ai.agent.id"
  /// The id of the swarm.
  ///
  /// It is used only in OpenTelemetry's records, because our events have a member for it.
  case swarmId = "agentpipes.swarm.id"
  /// The provider of the model.
  case provider = "gen_ai.provider.name"
  /// The name of the agent.
  case agentName = "gen_ai.agent.name"
  /// The requested model.
  case requestModel = "gen_ai.request.model"
  /// The model that answered.
  case responseModel = "gen_ai.response.model"
  /// The name of the tool that was called.
  case toolName = "gen_ai.tool.name"
  /// The id that the agent gave to a tool call.
  case toolCallId = "gen_ai.tool.call.id"
  /// The name of the skill in use.
  ///
  /// This attribute is read but never written.
  case skillName = "gen_ai.skill.name"
  /// A mark that the conversation was shortened to fit the context.
  ///
  /// This attribute is read but never written.
  case compacted = "gen_ai.conversation.compacted"

  /// The number of input tokens, including cached ones.
  case inputTokens = "gen_ai.usage.input_tokens"
  /// The number of output tokens.
  case outputTokens = "gen_ai.usage.output_tokens"
  /// The number of tokens that were read from a cache.
  case cacheReadTokens = "gen_ai.usage.cache_read.input_tokens"
  /// The number of tokens that were written to a cache.
  case cacheWriteTokens = "gen_ai.usage.cache_write.input_tokens"
  /// The number of output tokens used for reasoning.
  case reasoningTokens = "gen_ai.usage.reasoning.output_tokens"

  /// The type of the error that ended the operation; absent if there was no error.
  case errorType = "error.type"
  /// The kind of the failure, if its code is the type of the error.
  case errorKind = "agentpipes.error.kind"
  /// The description of the error.
  case statusDescription = "otel.status_description"
  /// The exit status of a process.
  case exitCode = "process.exit.code"

  /// The signal that ended a process.
  case exitSignal = "agentpipes.exit.signal"
  /// The status of a run; after the run has ended, its outcome.
  case status = "agentpipes.status"
  /// The cause for which a waiting run waits: the raw value of a `WaitCause`.
  case waitingFor = "agentpipes.waiting_for"
  /// The time until which a waiting run waits, as an ISO 8601 timestamp.
  case waitingUntil = "agentpipes.waiting_until"
  /// The task of a run, in a few words.
  case task = "agentpipes.task"
  /// The ID of the tmux session in which the agent works.
  case terminalSession = "agentpipes.terminal_session"
  /// A mark that the event only reports that the run is alive.
  case heartbeat = "agentpipes.heartbeat"
  /// The interval between two heartbeats in milliseconds.
  case heartbeatMilliseconds = "agentpipes.heartbeat_ms"
  /// The duration of a span in milliseconds, if a single event describes the whole span.
  case durationMilliseconds = "agentpipes.duration_ms"
  /// The cost in US dollars.
  case costUSD = "agentpipes.cost_usd"
  /// The size of the model's context in tokens.
  case maxContextTokens = "agentpipes.context.max_tokens"
  /// The fraction of the request's text that repeats earlier text, from 0 to 1.
  case redundancy = "agentpipes.redundancy"
  /// The name of a span, if it differs from the operation that names the span's event.
  case spanName = "agentpipes.span.name"
  /// The role of the span in a call between processes, such as `client`; absent for any other span.
  case spanKind = "agentpipes.span.kind"
  /// The whole event as JSON.
  ///
  /// It is used only in OpenTelemetry's records, for events that they cannot represent otherwise.
  case wholeEvent = "agentpipes.event"
  /// The agentpipes tool that called the model or observed the call.
  case tool = "agentpipes.tool"
  /// The calls that the token counts cover.
  ///
  /// The value is ``turnScope`` or ``increaseScope``, or absent if the counts cover one call.
  case usageScope = "agentpipes.usage.scope"
  /// A mark that the token counts are those of calls that no entry of a session reports.
  ///
  /// Without counts, such calls may have been made, and their cost is unknown.
  case sideCalls = "agentpipes.usage.side_calls"
  /// The source of the token counts: the raw value of a ``UsageSource``.
  ///
  /// It is absent if the program that made or observed the call reports them itself.
  case usageSource = "agentpipes.usage.source"
  /// The id that a coding agent gives to its session, if the event's own session is a run.
  ///
  /// Telemetry of that session does not count, because the run reports its calls.
  case agentSession = "agentpipes.session.id"
  /// The name that a coding agent gives to its session.
  case sessionName = "agentpipes.session.name"

  /// The prefix of our event types in OpenTelemetry's records.
  public static let typePrefix = "agentpipes."
  /// The prefix of those members of our events that OpenTelemetry's records lack.
  public static let memberPrefix = "agentpipes.event."
  /// The prefix of our labels in OpenTelemetry's records.
  public static let labelPrefix = "agentpipes.label."

  /// The value of ``usageScope`` if the token counts cover all calls in a turn.
  public static let turnScope = "turn"
  /// The value of ``usageScope`` if the token counts are the increase of a call that was reported
  /// before.
  public static let increaseScope = "increase"

  /// The names of attributes that a person does not need to see in an event.
  public static let minor = Set(
    [
      operation, agentName, task, heartbeat, heartbeatMilliseconds, tool, usageScope, usageSource,
      sideCalls, agentSession, sessionName,
    ].map(\.rawValue)
  )

  /// The names that are read as this attribute.
  ///
  /// These are the raw value, and earlier or alternative names.
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

/// The attributes of an event that this process creates.
public typealias EventAttributes = [EventAttribute: JSONValue]

extension EventAttributes {
  /// Creates the attributes that report the given usage of a model.
  public init(_ usage: Usage) {
    self = [
      .inputTokens: .int(usage.inputTokens), .outputTokens: .int(usage.outputTokens),
      .cacheReadTokens: .int(usage.cacheReadTokens),
      .cacheWriteTokens: .int(usage.cacheWriteTokens),
    ]
  }

  /// The attributes with their names as keys, as in a record.
  public var named: [String: JSONValue] {
    Dictionary<String, JSONValue>(
      uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
