import Core
import Foundation
import TestSupport
import Testing

@testable import Pages

/// Views of records whose every text is hostile, judged by html5lib.
struct ViewTests {
  /// Texts that would act if a page let them.
  private static let hostile = [
    "<script>alert(1)</script>", "</title><script src=//evil.example></script>", "\" onclick=\"x",
    "' onfocus='x' autofocus='", "<img src=x onerror=alert(1)>", "javascript:alert(1)",
    "[x](javascript:alert(1))", "[x](https://evil.example/\"onclick=\"x)", "<!-- ", "-->", "]]>",
    "</textarea><script>", "\u{202E}evil\u{2066}", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{9B}", "&lt;b&gt;",
    "\u{FEFF}\u{2028}\u{2029}", "<svg/onload=x>", "```\n</code></pre><script>", "|a|\n|-|\n|<b>|",
    "> <i>\n\n- [ ] <b>", "<https://evil.example/?\"x>", "![i](https://evil.example/x.png)",
    "<a href=\"https://evil.example\">x</a>", "*_~`[<", "a", "",
  ]

  private struct Source {
    private static let outcomes: [ControlOutcome] = [.applied, .accepted, .refused, .unreachable]

    var random: SeededRandom
    let now = Timestamp(milliseconds: 1_800_000_000_000)

    mutating func text() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        random.one(of: ViewTests.hostile, else: "")
      }.joined(separator: random.one(of: ["", " ", "\n", "\n\n"], else: ""))
    }

    mutating func line() -> String {
      let members = ["type", "message", "agentId", "level", "name", "status"].map {
        "\"\($0)\":\(String(decoding: JSONString.literal(text() + ($0 == "type" ? "x" : "")), as: UTF8.self))"
      }
      return "{\(members.joined(separator: ",")),\"ts\":1800000000000}"
    }

    mutating func incident() -> Incident {
      Incident(
        id: text(), severity: .error, summary: text(), swarmId: text(), agentId: text(),
        skillId: text(), count: 2, createdAt: now, updatedAt: now, status: .open)
    }

    mutating func gate(_ status: String) throws -> ApprovalGate {
      let literal = { (text: String) in String(decoding: JSONString.literal(text), as: UTF8.self) }
      let context = ["why", "impact", "risk", "recommendedAction"].map {
        "\"\($0)\":\(literal(text()))"
      }
      return try ApprovalGate(
        json: """
          {"type":"approvalGate","id":"a-1","ts":1800000000000,"gateId":\(literal(text())),\
          "status":"\(status)","summary":\(literal(text())),"requestedAt":"2026-01-01T00:00:00Z",\
          "requestedBy":\(literal(text())),"revision":1,"context":{\(context.joined(separator: ","))}}
          """)
    }

    /// A gate about a call, whose arguments may be cut.
    mutating func call() throws -> ApprovalGate {
      let members = (1...3).map { _ in
        [text(), text()].map { String(decoding: JSONString.literal($0), as: UTF8.self) }
          .joined(separator: ":")
      }
      let json = "{\(members.joined(separator: ","))}"
      var gate = try gate("pending")
      let limit = Int.random(in: 20...400, using: &random)
      gate.context?.impact = ApprovalGate.words(json, upTo: limit)
      return gate
    }

    mutating func control() -> PageFrame {
      var receipt = ControlReceipt(
        requestId: text(), target: random.one(of: [.agent, .swarm], else: .agent), id: text(),
        action: random.one(of: ControlAction.allCases, else: .pause), reason: text(), actor: text(),
        outcome: random.one(of: Self.outcomes, else: .applied), ts: 1_800_000_000_000)
      (receipt.deviceId, receipt.note) = (text(), text())
      let failure = Failure(.conflict, text(), input: text(), nextStep: text())
      return .control(receipt, failure: receipt.outcome == .applied ? nil : failure)
    }

    mutating func reader() -> PageViewer {
      PageViewer(
        Device(id: text(), name: text(), scope: .steer, createdAt: now), formToken: text())
    }

    mutating func views() throws -> [PageFrame] {
      let incidents = (0..<2).map { _ in incident() }
      let gates = [try gate("pending"), try gate("rejected")]
      let agents = (0..<2).map { _ in
        var agent = Agent(id: text(), status: .running, updatedAt: now)
        (agent.taskSummary, agent.swarmId, agent.name) = (text(), text(), text())
        return agent
      }
      let swarm = Swarm(
        id: text(), name: text(), status: .running, activeAgents: 1, errorRate: 0.5, throughput: 2,
        updatedAt: now)
      let lines = (0..<3).map { _ in line() }
      let artifact = Artifact(
        id: text(), role: .ceo, title: text(), content: text(), createdAt: now)
      let receipt = DecisionReceipt(
        requestId: text(), gateId: text(), decision: .reject, status: .rejected, reason: text(),
        actor: text(), ts: 1_800_000_000_000)
      let failure = Failure(.conflict, text(), input: text())
      let reader = reader()
      var filter = LiveFilter()
      (filter.level, filter.agent, filter.words) = (.error, text(), text())
      return [
        .overview(
          Overview(
            summaryCards: SummaryCards(contextRisk: 0.5, skillFailureRate: nil, swarmHealth: 1),
            activeIncidents: incidents, activeSwarms: [swarm], activeSessions: agents,
            pendingGates: gates, updatedAt: now), at: now),
        .overview(
          Overview(
            summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
            activeIncidents: [], activeSwarms: [], activeSessions: [], pendingGates: [],
            updatedAt: nil), at: now),
        .incidents(open: incidents, closed: incidents, at: now),
        .incident(incidents[0], events: lines, at: now),
        .gates(pending: gates, decided: gates, at: now),
        .gate(
          gates[0], decisions: [receipt], result: artifact, refusal: failure, for: reader, at: now),
        .gate(gates[1], decisions: [receipt], result: artifact, isOwn: true, for: reader, at: now),
        .gate(try call(), decisions: [], result: nil, for: reader, at: now), control(),
        .swarm(swarm, agents: agents, incidents: incidents, for: reader, at: now),
        .agent(agents[0], contexts: [], events: lines, for: reader, at: now),
        .trace(text(), events: lines), .live(events: lines, filter: filter),
        .signIn(text(), .steer),
        .device(for: reader, at: now), .failure(failure, isSignedIn: true),
        .failure(Failure(.authExpired, text(), nextStep: text()), isSignedIn: false),
      ]
    }
  }

  private static let python = Checkout.root.path + "/.build/venv-page/bin/python"

  /// `AGENTPIPES_PAGES` sets the number of pages.
  @Test(.enabled(if: access(python, X_OK) == 0, "html5lib is not installed in .build/venv-page"))
  func `no record brings an element, an attribute or an address`() async throws {
    let wanted = ProcessInfo.processInfo.environment["AGENTPIPES_PAGES"].flatMap { Int($0) } ?? 390
    let seed = UInt64.random(in: 0...UInt64.max)
    var source = Source(random: SeededRandom(seed: seed))
    var (bytes, count) = ([UInt8](), 0)
    while count < wanted {
      for view in try source.views() {
        bytes += view.bytes + [0]
        count += 1
      }
    }
    let home = try Home()
    let (input, output) = (home.path + "/pages", home.path + "/count")
    try Data(bytes).write(to: URL(filePath: input))
    let child = try Child(
      [
        "sh", "-c", "exec \"$0\" \"$1\" <\"$2\" >\"$3\" 2>&1", Self.python,
        Checkout.root.path + "/Tests/Endurance/Page/markup.py", input, output,
      ],
      environment: ProcessInfo.processInfo.environment, folder: home.path, streams: [:])
    _ = await child.ended()
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "\(count)\n", "seed \(seed)")
  }

  @Test func `a reader sees the forms that it may send`() throws {
    var source = Source(random: SeededRandom(seed: 1))
    let gate = try source.gate("pending")
    let agent = Agent(id: "a", status: .running, updatedAt: source.now)
    for scope in DeviceScope.browsers {
      let reader = PageViewer(
        Device(id: "d", name: "n", scope: scope, createdAt: source.now), formToken: "t")
      let deciding = String(
        decoding: PageFrame.gate(gate, decisions: [], result: nil, for: reader, at: source.now)
          .bytes,
        as: UTF8.self)
      #expect(deciding.contains("<form") == (scope != .read))
      let steering = String(
        decoding: PageFrame.agent(agent, contexts: [], events: [], for: reader, at: source.now)
          .bytes,
        as: UTF8.self)
      #expect(steering.contains("<form") == (scope == .steer))
    }
  }
}
