import CodingAgents
import Core
import Events

/// The identity of a session's agent in one run, which creates the events of the agent.
///
/// A run begins with the first entry, or with the first one after the process has ended. All ids are
/// derived from those of the agent's program, so that an event that is created again has the same
/// `srcId`.
struct AdoptedRun: Codable, Sendable, Hashable {
  /// A run that has ended, with its sums.
  struct EndedRun: Codable, Sendable {
    var run: AdoptedRun
    var at: Timestamp
    var status: AgentStatus
    var usage: Usage
    var costUSD: Double
    /// The number of calls without a known cost.
    var unpriced: Int

    /// Replaces the sums.
    mutating func set(_ usage: Usage, costUSD: Double, unpriced: Int) {
      (self.usage, self.costUSD, self.unpriced) = (usage, costUSD, unpriced)
    }
  }

  /// The failure with which the work of a session ended.
  struct LastFailure: Codable, Sendable, Hashable {
    var code: FailureCode
    var kind: String?

    init(_ failure: Failure) { (code, kind) = (failure.code, failure.kind?.rawValue) }
  }

  /// The tool that observes the calls.
  private static let tool = "agent-adopt"
  /// The interval between heartbeats, in seconds.
  static let heartbeat = 15.0

  /// The session.
  let session: SessionKey
  /// The swarm; nil for none.
  let swarmId: String?
  /// The time of the first entry.
  let startedAt: Timestamp

  /// The id of the agent.
  var agentId: String { Self.agentId(session) }

  /// Returns the id of the given session's agent.
  ///
  /// Hooks and telemetry use the same id.
  static func agentId(_ session: SessionKey) -> String { "\(session.agent.rawValue)-\(session.id)" }

  private var spanId: String { Self.digest("\(agentId) \(startedAt.milliseconds)") }

  /// Returns the first 16 digits of the digest of the given text.
  static func digest(_ text: String) -> String {
    String(SHA256Digest.hexadecimal(Array(text.utf8)).prefix(16))
  }

  // MARK: The run

  /// Returns the event of the run's start.
  ///
  /// - Parameters:
  ///   - task: The task in a few words.
  ///   - seconds: The interval between heartbeats; nil if none will follow.
  ///   - process: The certainty of the process.
  /// - Returns: The event.
  func start(task: String, heartbeat seconds: Double?, process: String) -> TraceEvent {
    var attributes: EventAttributes = [.task: .string(task)]
    attributes[.heartbeatMilliseconds] = seconds.map { .int(Int($0 * 1000)) }
    return whole(.start, attributes, "start", at: startedAt, process: process)
  }

  /// Returns the event that reports the status of the run.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - cause: The cause of a wait; nil if it is unknown.
  ///   - name: The name of the session; nil if it has none.
  ///   - isChange: `false` if the status is that of the last report.
  ///   - seconds: The interval after which the next report follows; nil if there is none.
  ///   - now: The time.
  ///   - process: The certainty of the process.
  /// - Returns: The event.
  func stands(
    _ status: AgentStatus, for cause: WaitCause?, named name: String?, isChange: Bool,
    heartbeat seconds: Double?, at now: Timestamp, process: String
  ) -> TraceEvent {
    var attributes: EventAttributes = [.status: .string(status.rawValue)]
    attributes[.waitingFor] = cause.map { .string($0.rawValue) }
    attributes[.sessionName] = name.map(JSONValue.string)
    // A change is no heartbeat, because a heartbeat does not end a wait.
    if !isChange { attributes[.heartbeat] = .bool(true) }
    // The start of the run may have announced no heartbeats.
    attributes[.heartbeatMilliseconds] = seconds.map { .int(Int($0 * 1000)) }
    return whole(.progress, attributes, nil, at: now, process: process)
  }

  /// Returns the event of the run's end.
  ///
  /// - Parameters:
  ///   - status: The outcome.
  ///   - failure: The failure that is the reason for the outcome; nil for none.
  ///   - usage: The tokens of all calls.
  ///   - costUSD: The cost of all calls; nil if a part of it is unknown.
  ///   - now: The time of the end.
  ///   - version: A word that distinguishes an end with new sums from the first one.
  /// - Returns: The event.
  func end(
    _ status: AgentStatus, _ failure: LastFailure? = nil, usage: Usage,
    costUSD: Double?, at now: Timestamp, version: String = ""
  ) -> TraceEvent {
    var attributes = EventAttributes(usage)
    attributes[.status] = .string(status.rawValue)
    attributes[.errorType] = failure.map { .string($0.code.rawValue) }
    attributes[.errorKind] = failure?.kind.map(JSONValue.string)
    attributes[.costUSD] = costUSD.map(JSONValue.double)
    return whole(.end, attributes, "end\(version)", at: now, process: nil)
  }

  private func whole(
    _ phase: TraceEvent.Phase, _ attributes: EventAttributes, _ source: String?,
    at instant: Timestamp, process: String?
  ) -> TraceEvent {
    var span = EventSpan(
      .invokeAgent, agentId: agentId, spanId: spanId, attributes: [.agentName: .string(agentId)])
    span.swarmId = swarmId
    span.sessionId = session.id
    span.traceId = EventSpan.traceId(of: session.id)
    span.labels = process.map { ["process": $0] }
    var event = span.event(phase, attributes, at: instant)
    event.srcId = source.map { "\(agentId):\($0):\(startedAt.milliseconds)" }
    return event
  }

  // MARK: Parts

  /// Returns the span of a tool call.
  ///
  /// - Parameters:
  ///   - id: The id that the agent gave to the call.
  ///   - name: The tool's name.
  ///   - subagent: The id of the subagent that made the call; nil for the session itself.
  /// - Returns: The span.
  func tool(_ id: String, _ name: String, of subagent: String?) -> EventSpan {
    // Telemetry of the same call has the same span id.
    var span = part(.executeTool, "\(agentId) \(id)", of: subagent)
    let name = String(Visible.line(name).prefix(200))
    span.skillId = name
    span.attributes = [.toolName: .string(name), .toolCallId: .string(String(id.prefix(200)))]
    return span
  }

  /// Returns the span of a model call.
  func call(_ id: String, model: String?, of subagent: String?) -> EventSpan {
    var span = part(.chat, "\(agentId) call \(id)", of: subagent)
    span.attributes = [
      .usageSource: .string(UsageSource.transcript.rawValue), .tool: .string(Self.tool),
    ]
    span.attributes[.responseModel] = model.map { .string(String($0.prefix(200))) }
    return span
  }

  private func part(
    _ operation: EventOperation, _ identity: String, of subagent: String?
  ) -> EventSpan {
    var span = EventSpan(operation, agentId: agentId, spanId: Self.digest(identity))
    span.swarmId = swarmId
    // A subagent has its own conversation and context.
    span.sessionId = subagent.map { "\(session.id).\($0)" } ?? session.id
    span.traceId = EventSpan.traceId(of: session.id)
    span.parentSpanId = spanId
    return span
  }

  /// Returns an event of the given part, with a source id.
  func event(
    _ span: EventSpan, _ phase: TraceEvent.Phase, _ attributes: EventAttributes = [:],
    at instant: Timestamp, version: String = ""
  ) -> TraceEvent {
    var event = span.event(phase, attributes, at: instant)
    event.srcId = "\(agentId):\(span.spanId):\(phase.rawValue)\(version)"
    return event
  }

  /// Returns a log of the agent.
  func log(_ level: Log.Level, _ message: String, at instant: Timestamp, source: String) -> Log {
    var log = Log(ts: instant.milliseconds, agentId: agentId, level: level, message: message)
    log.head.swarmId = swarmId
    log.head.srcId = "\(agentId):\(Self.digest("\(source) \(instant.milliseconds)")):log"
    log.body.sessionId = session.id
    return log
  }
}
