import Core

/// The calls of tools that have begun and not ended, by the ids that the agent gave them.
struct OpenTools {
  private var calls: [String: ToolCall] = [:]
  /// An agent that never ends a call must not fill the memory.
  private static let maximumCalls = 1000

  /// A call begins.
  mutating func start(
    _ call: ToolCall, _ agent: AgentIdentity, at now: Timestamp
  ) -> [any Event] {
    guard let id = call.id else {
      return [agent.tool(call, .start, at: now), agent.tool(call, .end, at: now)]
    }
    guard calls[id] == nil else { return [] }
    let forgotten = calls.count < Self.maximumCalls ? [] : end(agent, at: now)
    calls[id] = call
    return forgotten + [agent.tool(call, .start, at: now)]
  }

  /// A call ends; one whose beginning was not seen has no span.
  mutating func end(
    _ id: String?, error: String?, _ agent: AgentIdentity, at now: Timestamp
  ) -> (name: String?, events: [any Event]) {
    guard let id, let call = calls.removeValue(forKey: id) else { return (nil, []) }
    return (call.name, [agent.tool(call, .end, error: error, at: now)])
  }

  /// Ends what is open: nothing more will be heard of it.
  mutating func end(_ agent: AgentIdentity, at now: Timestamp) -> [any Event] {
    defer { calls = [:] }
    return calls.sorted { $0.key < $1.key }.map {
      agent.tool($0.value, .end, error: "unfinished", at: now)
    }
  }

  /// Whether a call has begun and not ended.
  func contains(_ id: String) -> Bool { calls[id] != nil }

  /// The span of a call that has not ended.
  func spanId(of id: String) -> String? { calls[id]?.spanId }
}
