import Core
import Events
import Storage
import TestSupport
import Testing
import Watching

/// Where the terminal of an agent is.
struct AgentTerminalsTests {
  private let home: Home
  /// Some instant, at which the agent begins.
  private let start = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws { home = try Home() }

  private func terminal(
    of agent: String, _ configured: [String: Settings.AgentTerminal] = [:],
    after seconds: Int64 = 0
  ) throws -> String {
    let found = try AgentTerminals(configured: configured, home.directories)
      .terminal(of: agent, at: Timestamp(milliseconds: start.milliseconds + seconds * 1000))
    return "\(found.host) \(found.session)"
  }

  private func begin(_ agent: String, session: String) throws {
    let event = TraceEvent(
      ts: start.milliseconds, agent: agent, swarm: "s", session: "run of " + agent,
      span: "0000000000000001", .start, name: "invoke_agent",
      attrs: [
        "agentpipes.heartbeat_ms": .int(1000), "agentpipes.terminal_session": .string(session),
      ])
    try EventLog(home.directories).append([event], at: start)
  }

  @Test func `nobody knows of an agent that told nothing`() throws {
    let failure = #expect(throws: Failure.self) { try terminal(of: "a") }
    #expect(failure?.code == .notFound && failure?.input == "a")
  }

  @Test func `it is where the agent said that it works, while it works`() throws {
    _ = try Store(home.directories)
    try begin("a", session: "$3")
    #expect(try terminal(of: "a") == "localhost $3")
    #expect(throws: Failure.self) { try terminal(of: "b") }
    #expect(throws: Failure.self) { try terminal(of: "a", after: 3600) }
  }

  @Test func `the configuration wins`() throws {
    _ = try Store(home.directories)
    try begin("a", session: "$3")
    #expect(try terminal(of: "a", ["a": .init(host: "box", session: "7")]) == "box 7")
  }
}
