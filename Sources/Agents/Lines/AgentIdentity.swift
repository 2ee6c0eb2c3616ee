import Core
import Events
import Terminals

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
    traceId = EventSpan.newTraceId()
    spanId = EventSpan.newId()
  }

  /// What a command does, where nobody says it: its name.
  public static func task(of command: [String]) -> String {
    command.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
  }

  /// The span of the whole run.
  var run: EventSpan {
    var run = EventSpan(
      .invokeAgent, agentId: agentId, spanId: spanId, attributes: [.agentName: .string(agentId)])
    run.swarmId = swarmId
    run.sessionId = sessionId
    run.traceId = traceId
    return run
  }

  /// A span within the run, or within another span of it.
  private func part(
    _ operation: EventOperation, spanId: String, parentSpanId: String?
  ) -> EventSpan {
    var part = EventSpan(operation, agentId: agentId, spanId: spanId)
    part.swarmId = swarmId
    part.sessionId = sessionId
    part.traceId = traceId
    part.parentSpanId = parentSpanId ?? self.spanId
    return part
  }

  /// The span of the call of a tool.
  func tool(_ call: ToldToolCall) -> EventSpan {
    var tool = part(.executeTool, spanId: call.spanId, parentSpanId: call.parentSpanId)
    tool.skillId = call.name
    tool.attributes[.toolName] = .string(call.name)
    tool.attributes[.toolCallId] = call.id.map(JSONValue.string)
    return tool
  }

  /// A call of a model.
  func chat(
    _ usage: Usage, model: String?, parentSpanId: String? = nil,
    _ attributes: EventAttributes = [:], at now: Timestamp
  ) -> TraceEvent {
    var chat = part(.chat, spanId: EventSpan.newId(), parentSpanId: parentSpanId)
    // Whoever works on behalf of the agent has a conversation, and a context, of its own.
    if let parentSpanId { chat.sessionId = "\(sessionId).\(parentSpanId)" }
    chat.attributes = EventAttributes(usage)
    chat.attributes[.tool] = .string("agent-run")
    chat.attributes[.responseModel] = model.map(JSONValue.string)
    return chat.event(nil, attributes, at: now)
  }

  /// A line of the log.
  func log(_ level: Log.Level, _ message: String, at now: Timestamp) -> Log {
    // A secret may be coloured, too.
    let plain = EscapeSequences.removed(from: message)
    var log = Log(
      ts: now.milliseconds, agentId: agentId, level: level, message: Secrets.shown(plain))
    log.head.swarmId = swarmId
    log.body.sessionId = sessionId
    return log
  }
}

extension AgentIdentity {
  /// Tells how many lines are lost, and why.
  func loss(of count: Int, since: Timestamp, _ reason: String) -> Log {
    var log = log(.warn, "dropped \(count) lines: \(reason)", at: since)
    log.count = count
    return log
  }
}

/// A call of a tool by an agent.
struct ToldToolCall: Sendable, Hashable {
  /// The id that the agent gave it.
  var id: String?
  /// The tool.
  var name: String
  /// Its span.
  var spanId = EventSpan.newId()
  /// The span that it is a part of; nil for that of the run.
  var parentSpanId: String?
}
