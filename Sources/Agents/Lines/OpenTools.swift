import Core
import Events

/// The tool calls that have begun but not ended.
///
/// They are stored by the IDs that the agent assigned.
struct OpenTools {
  private var calls: [String: ToldToolCall] = [:]
  /// The maximum number of open calls.
  ///
  /// It limits the memory if calls never end.
  private static let maximumCalls = 1000

  /// Records that the given call has started.
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

  /// Records that the call with the given ID has ended.
  ///
  /// If its start was not seen, no event is created.
  mutating func end(
    _ id: String?, error: String?, _ agent: AgentIdentity, at now: Timestamp
  ) -> (name: String?, events: [any Event]) {
    guard let id, let call = calls.removeValue(forKey: id) else { return (nil, []) }
    return (call.name, [Self.end(of: call, agent, error: error, at: now)])
  }

  /// Ends all open calls as unfinished, because the output of the agent has ended.
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

  /// Returns the span ID of the open call with the given ID; nil if it is not open.
  func spanId(of id: String) -> String? { calls[id]?.spanId }
}
