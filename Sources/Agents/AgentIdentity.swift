import Core

/// Who an agent is in one run of it, and the events that tell of it.
public struct AgentIdentity: Sendable, Hashable {
  /// The agent.
  public var agentId: String
  /// The swarm that it is part of.
  public var swarmId: String?
  /// This run, new each time.
  public var sessionId: String
  /// What it does, in a few words.
  public var task: String
  /// The tmux session that it was started in, such as `$0`.
  public var terminal: String?
  /// 32 hexadecimal digits that all spans of the run share.
  public var traceId: String
  /// 16 hexadecimal digits: the span of the whole run.
  public var spanId: String

  /// Makes the identity of a new run.
  public init(agentId: String, swarmId: String?, task: String, terminal: String? = nil) {
    self.agentId = agentId
    self.terminal = terminal
    self.swarmId = swarmId
    self.task = task
    sessionId = Identifier.make()
    traceId = Self.hexadecimal() + Self.hexadecimal()
    spanId = Self.hexadecimal()
  }

  /// 16 random hexadecimal digits.
  static func hexadecimal() -> String {
    let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A part of the span of the whole run.
  func span(
    _ phase: TraceEvent.Phase, _ attrs: [String: AttributeValue], at now: Timestamp
  ) -> TraceEvent {
    let own: [String: AttributeValue] = [
      "gen_ai.operation.name": .string("invoke_agent"), "gen_ai.agent.name": .string(agentId),
    ]
    return TraceEvent(
      ts: now.milliseconds, swarmId: swarmId, agentId: agentId, sessionId: sessionId,
      traceId: traceId, spanId: spanId, phase: phase, name: "invoke_agent",
      attrs: attrs.merging(own) { given, _ in given })
  }

  /// A part of a tool's span.
  func tool(
    _ call: ToolCall, _ phase: TraceEvent.Phase, error: String? = nil, at now: Timestamp
  ) -> TraceEvent {
    var attrs: [String: AttributeValue] = [
      "gen_ai.operation.name": .string("execute_tool"), "gen_ai.tool.name": .string(call.name),
    ]
    attrs["gen_ai.tool.call.id"] = call.id.map(AttributeValue.string)
    attrs["error.type"] = error.map(AttributeValue.string)
    return TraceEvent(
      ts: now.milliseconds, swarmId: swarmId, agentId: agentId, sessionId: sessionId,
      skillId: call.name, traceId: traceId, spanId: call.spanId,
      parentSpanId: call.parentSpanId ?? spanId, phase: phase, name: "execute_tool", attrs: attrs)
  }

  /// A call of a model.
  func chat(
    _ usage: Usage, model: String?, parentSpanId: String? = nil,
    _ attrs: [String: AttributeValue] = [:], at now: Timestamp
  ) -> TraceEvent {
    var attrs = attrs.merging(usage.attributes) { given, _ in given }
    attrs["gen_ai.operation.name"] = .string("chat")
    attrs["gen_ai.response.model"] = model.map(AttributeValue.string)
    // Whoever works on behalf of the agent has a conversation, and a context, of its own.
    let session = parentSpanId.map { "\(sessionId).\($0)" } ?? sessionId
    return TraceEvent(
      ts: now.milliseconds, swarmId: swarmId, agentId: agentId, sessionId: session,
      traceId: traceId, spanId: Self.hexadecimal(), parentSpanId: parentSpanId ?? spanId,
      name: "chat", attrs: attrs)
  }

  /// A line of the log.
  func log(_ level: Log.Level, _ message: String, at now: Timestamp) -> Log {
    Log(
      ts: now.milliseconds, swarmId: swarmId, agentId: agentId, sessionId: sessionId, level: level,
      message: Secrets.redacted(message))
  }
}

/// A call of a tool by an agent.
struct ToolCall: Sendable, Hashable {
  /// The id that the agent gave it.
  var id: String?
  /// The tool.
  var name: String
  /// Its span.
  var spanId = AgentIdentity.hexadecimal()
  /// The span that it is a part of; nil for that of the run.
  var parentSpanId: String?
}

extension Usage {
  /// The counts under the names of OpenTelemetry.
  var attributes: [String: AttributeValue] {
    [
      "gen_ai.usage.input_tokens": .int(inputTokens),
      "gen_ai.usage.output_tokens": .int(outputTokens),
      "gen_ai.usage.cache_read.input_tokens": .int(cacheReadTokens),
      "gen_ai.usage.cache_write.input_tokens": .int(cacheWriteTokens),
    ]
  }
}
