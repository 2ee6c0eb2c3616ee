import Core
import Events
import Terminals

/// The identity of an agent in one run.
///
/// It creates the agent's spans and events.
public struct AgentIdentity: Sendable, Hashable {
  /// The agent's ID.
  public var agentId: String
  /// The ID of the agent's swarm; nil for none.
  public var swarmId: String?
  /// The ID of this run.
  ///
  /// Each run has a new one.
  public var sessionId: String
  /// The agent's task, in a few words.
  public var task: String
  /// The ID of the tmux session in which the agent was started, such as `$0`; nil outside of tmux.
  public var terminal: String?
  /// The trace ID that all spans of the run share: 32 hexadecimal digits.
  public var traceId: String
  /// The span ID of the run as a whole: 16 hexadecimal digits.
  public var spanId: String

  /// Creates the identity of a new run.
  public init(agentId: String, swarmId: String?, task: String, terminal: String? = nil) {
    self.agentId = agentId
    self.terminal = terminal
    self.swarmId = swarmId
    self.task = task
    sessionId = Identifier.make()
    traceId = EventSpan.newTraceId()
    spanId = EventSpan.newId()
  }

  /// Returns the default task of the given command: the name of its program.
  public static func task(of command: [String]) -> String {
    command.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
  }

  /// The span that covers the whole run.
  var run: EventSpan {
    var run = EventSpan(
      .invokeAgent, agentId: agentId, spanId: spanId, attributes: [.agentName: .string(agentId)])
    run.swarmId = swarmId
    run.sessionId = sessionId
    run.traceId = traceId
    return run
  }

  /// Returns a span of the given operation.
  ///
  /// Its parent is the span with the given ID, or the span of the run if that is nil.
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

  /// Returns the span of the given tool call.
  func tool(_ call: ToldToolCall) -> EventSpan {
    var tool = part(.executeTool, spanId: call.spanId, parentSpanId: call.parentSpanId)
    tool.skillId = call.name
    tool.attributes[.toolName] = .string(call.name)
    tool.attributes[.toolCallId] = call.id.map(JSONValue.string)
    return tool
  }

  /// Returns the event that reports a model call with the given usage; nil if that is unknown.
  ///
  /// `session` is the ID that the command itself gives to its session; nil if it names none.
  func chat(
    _ usage: Usage?, model: String?, session: String? = nil, parentSpanId: String? = nil,
    _ attributes: EventAttributes = [:], at now: Timestamp
  ) -> TraceEvent {
    var chat = part(.chat, spanId: EventSpan.newId(), parentSpanId: parentSpanId)
    // A subagent has its own conversation and context.
    if let parentSpanId { chat.sessionId = "\(sessionId).\(parentSpanId)" }
    chat.attributes = usage.map { EventAttributes($0) } ?? [:]
    chat.attributes[.tool] = .string("agent-run")
    chat.attributes[.responseModel] = model.map(JSONValue.string)
    // A longer ID is no session's.
    chat.attributes[.agentSession] = session.flatMap {
      1...200 ~= $0.utf8.count ? .string($0) : nil
    }
    return chat.event(nil, attributes, at: now)
  }

  /// Returns a log record of the agent.
  func log(_ level: Log.Level, _ message: String, at now: Timestamp) -> Log {
    // Colour codes could split a secret, so they are removed before secrets are masked.
    let plain = EscapeSequences.removed(from: message)
    var log = Log(
      ts: now.milliseconds, agentId: agentId, level: level, message: Secrets.shown(plain))
    log.head.swarmId = swarmId
    log.body.sessionId = sessionId
    return log
  }
}

extension AgentIdentity {
  /// Returns the log record that reports the number of lost lines and the reason.
  func loss(of count: Int, since: Timestamp, _ reason: String) -> Log {
    var log = log(.warn, "dropped \(count) lines: \(reason)", at: since)
    log.count = count
    return log
  }
}

/// A tool call, as the agent reported it.
struct ToldToolCall: Sendable, Hashable {
  /// The ID that the agent assigned to the call; nil if it assigned none.
  var id: String?
  /// The tool's name.
  var name: String
  /// The ID of the call's span.
  var spanId = EventSpan.newId()
  /// The ID of the parent span; nil if the parent is the span of the run.
  var parentSpanId: String?
}
