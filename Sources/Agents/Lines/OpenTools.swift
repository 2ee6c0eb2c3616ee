import Core
import Events

/// The tool calls that have begun and not ended, by the IDs that the agent assigned.
struct OpenTools {
  private var calls: [String: ToldToolCall] = [:]
  /// The maximum number of open calls, so that an agent that never ends one cannot fill the memory.
  private static let maximumCalls = 1000

  /// Records the start of a call.
  mutating func start(
    _ call: ToldToolCall, _ agent: AgentIdentity, at now: Timestamp
  ) -> [any Event] {
    guard let id = call.id else {
      let span = agent.tool(call)
      return [span.event(.start, at: now), span.event(.end, at: now)]
    }
    guard calls[id] == nil else { return [] }
    let forgotten = calls.count < Self.maximumCalls ? [] : end(agent, at: now)
    calls[id] = call
    return forgotten + [agent.tool(call).event(.start, at: now)]
  }

  /// Records the end of a call; a call whose start was not seen has no span.
  mutating func end(
    _ id: String?, error: String?, _ agent: AgentIdentity, at now: Timestamp
  ) -> (name: String?, events: [any Event]) {
    guard let id, let call = calls.removeValue(forKey: id) else { return (nil, []) }
    return (call.name, [Self.end(of: call, agent, error: error, at: now)])
  }

  /// Ends the open calls as unfinished, because no more output follows.
  mutating func end(_ agent: AgentIdentity, at now: Timestamp) -> [any Event] {
    defer { calls = [:] }
    return calls.sorted { $0.key < $1.key }.map {
      Self.end(of: $0.value, agent, error: "unfinished", at: now)
    }
  }

  private static func end(
    of call: ToldToolCall, _ agent: AgentIdentity, error: String?, at now: Timestamp
  ) -> any Event {
    agent.tool(call).event(.end, error.map { [.errorType: .string($0)] } ?? [:], at: now)
  }

  /// Returns `true` if a call has begun and not ended.
  func contains(_ id: String) -> Bool { calls[id] != nil }

  /// Returns the span of an open call.
  func spanId(of id: String) -> String? { calls[id]?.spanId }
}
