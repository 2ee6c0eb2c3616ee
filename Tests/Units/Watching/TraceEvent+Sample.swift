import Core

extension TraceEvent {
  /// An event of a span, as a test needs it.
  init(
    ts: Int64, agent: String, swarm: String? = nil, session: String? = nil, skill: String? = nil,
    span: String, _ phase: Phase? = nil, name: String, attrs: [String: JSONValue] = [:]
  ) {
    self.init(ts: ts, agentId: agent, spanId: span, name: name, attrs: attrs)
    head.swarmId = swarm
    body.sessionId = session
    body.skillId = skill
    body.phase = phase
  }
}
