import CodingAgents
import Core
import Events
import Testing

@testable import Agents

/// What a run adds up and keeps open until its end.
@Suite("a run's sums and open calls")
struct RunTests {
  private let agent = AgentIdentity(agentId: "linter", swarmId: "review", task: "Lint")
  private let now = Timestamp(milliseconds: 1_772_013_600_000)

  private func usage(_ input: Int, _ output: Int) -> Usage {
    Usage(inputTokens: input, outputTokens: output)
  }

  private func tokens(_ totals: UsageTotals) -> [JSONValue?] {
    [
      totals.attributes[.inputTokens], totals.attributes[.outputTokens],
      totals.attributes[.costUSD],
    ]
  }

  @Test func `a command is called by its last name`() {
    #expect(AgentIdentity.task(of: ["/usr/bin/env", "x"]) == "env")
    #expect(AgentIdentity.task(of: ["./lint.sh"]) == "lint.sh")
    #expect(AgentIdentity.task(of: []) == "")
    #expect(AgentIdentity.task(of: ["/"]) == "")
  }

  @Test func `each run is another one`() {
    let other = AgentIdentity(agentId: "linter", swarmId: "review", task: "Lint")
    #expect(other.sessionId != agent.sessionId)
    #expect(other.traceId != agent.traceId)
    #expect(agent.traceId.count == 32 && agent.spanId.count == 16)
  }

  @Test func `nothing is known until somebody tells`() {
    #expect(UsageTotals().attributes.isEmpty)
  }

  @Test func `a sum takes the place of the calls before it`() {
    var totals = UsageTotals()
    totals.add(usage(10, 1), costUSD: nil)
    totals.add(usage(20, 2), costUSD: nil)
    #expect(tokens(totals) == [.int(30), .int(3), nil])
    totals.settle(SessionTotal.Sum(usage(35, 4), costUSD: 0.5))
    #expect(tokens(totals) == [.int(35), .int(4), .double(0.5)])
    totals.settle(SessionTotal.Sum(usage(5, 1), costUSD: 0.25))
    #expect(tokens(totals) == [.int(40), .int(5), .double(0.75)])
  }

  @Test func `a call without a cost leaves the cost unknown until a sum states it`() {
    var totals = UsageTotals()
    totals.settle(SessionTotal.Sum(usage(35, 4), costUSD: 0.5))
    totals.add(usage(5, 0), costUSD: nil)
    #expect(tokens(totals) == [.int(40), .int(4), nil])
    totals.settle(costUSD: 0.25)
    #expect(tokens(totals) == [.int(40), .int(4), .double(0.75)])
    totals.add(usage(1, 0), costUSD: 0.25)
    totals.add(usage(1, 0), costUSD: nil, isIncrease: true)
    #expect(tokens(totals) == [.int(42), .int(4), .double(1)])
  }

  @Test func `a call of a tool begins once and ends once`() {
    var tools = OpenTools()
    let call = ToldToolCall(id: "t1", name: "Bash")
    #expect(tools.start(call, agent, at: now).count == 1)
    #expect(tools.start(call, agent, at: now).isEmpty)
    #expect(tools.spanId(of: "t1") == call.spanId)
    let end = tools.end("t1", error: "exit_1", agent, at: now)
    #expect(end.name == "Bash")
    #expect(end.events.count == 1)
    #expect(tools.end("t1", error: nil, agent, at: now).events.isEmpty)
    #expect(tools.end(nil, error: nil, agent, at: now).name == nil)
    #expect(tools.spanId(of: "t1") == nil)
  }

  @Test func `a call without an id ends at once`() {
    var tools = OpenTools()
    let events = tools.start(ToldToolCall(name: "Read"), agent, at: now)
    #expect(events.compactMap { ($0 as? TraceEvent)?.phase?.rawValue } == ["start", "end"])
    #expect(tools.end(agent, at: now).isEmpty)
  }

  @Test func `what never ends is told as unfinished, and forgotten before it fills the memory`() {
    var tools = OpenTools()
    for number in 0..<1000 {
      _ = tools.start(ToldToolCall(id: "\(number)", name: "Bash"), agent, at: now)
    }
    let events = tools.start(ToldToolCall(id: "last", name: "Bash"), agent, at: now)
    #expect(events.count == 1001)
    #expect(tools.spanId(of: "last") != nil && tools.spanId(of: "0") == nil)
    let ends = tools.end(agent, at: now)
    #expect(
      ends.compactMap { ($0 as? TraceEvent)?.attrs["error.type"] } == [.string("unfinished")])
  }

  @Test func `signals have names, those without one numbers`() {
    #expect(SignalName.of(15) == "SIGTERM")
    #expect(SignalName.of(9) == "SIGKILL")
    #expect(SignalName.of(63) == "SIG63")
  }

  @Test func `messages come in their order, and nobody waits too long for one`() {
    let inbox = Inbox<Int>()
    inbox.add(1)
    inbox.add(2)
    #expect(inbox.next(until: .now) == 1)
    #expect(inbox.next(until: .now + .seconds(1)) == 2)
    #expect(inbox.next(until: .now + .milliseconds(5)) == nil)
  }
}
