import Core
import Testing

@testable import Command

/// How records look to a person.
@Suite struct TextRenderingTests {
  private func text<Record: StreamRecord>(_ type: Record.Type, _ json: String) throws -> String? {
    try TextRendering.text(Record(json: json))
  }

  /// What stands in the columns of a line.
  private func cells<Record: StreamRecord>(
    _ type: Record.Type, _ json: String
  ) throws -> [String] {
    let line = try #require(try text(type, json))
    #expect(line.hasSuffix("\n"))
    return line.dropLast().split(separator: "  ", omittingEmptySubsequences: true)
      .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.map(String.init)
  }

  @Test func `values are padded to their columns, and none is cut`() {
    #expect(TextRendering.columns([("a", 3), ("long one", 4), ("c", 0)]) == "a    long one  c\n")
    #expect(TextRendering.columns([("", 2), ("b", 0)]) == "    b\n")
  }

  @Test func `what would steer a terminal is shown as text`() {
    let line = TextRendering.columns([("a\u{1B}[2J\nb", 0)])
    #expect(!line.dropLast().contains { $0 == "\u{1B}" || $0 == "\n" })
    #expect(line.contains("[2J"))
  }

  @Test(arguments: [
    (nil, "$?"), (0, "$0.0000"), (0.0302, "$0.0302"), (0.1, "$0.10"), (12.345, "$12.35"),
  ])
  func `small sums have more places`(_ cost: Double?, _ text: String) {
    #expect(TextRendering.dollars(cost) == text)
  }

  @Test func `pipelines and their stages are lines`() throws {
    let pipeline =
      #"{"costUSD":0.0302,"createdAt":"2026-02-25T10:00:00.000Z","goal":"Compare","id":"p-1","model":"m","project":"P","stageCount":3,"status":"waiting","type":"pipeline","usage":{"cacheReadTokens":0,"cacheWriteTokens":0,"inputTokens":812,"outputTokens":240}}"#
    #expect(try cells(Pipeline.self, pipeline) == ["p-1", "waiting", "$0.0302", "Compare"])
    let stage =
      #"{"approved":false,"id":"s-1","pipelineId":"p-1","position":2,"role":"researcher","status":"waiting","task":"Collect","type":"stage"}"#
    #expect(try cells(Stage.self, stage) == ["2", "researcher", "waiting", "Collect"])
  }

  @Test func `documents have their title underlined`() throws {
    let artifact =
      #"{"content":"Found\nit","createdAt":"2026-02-25T10:01:00.000Z","id":"a","kind":"text","role":"producer","title":"WAL","type":"artifact"}"#
    #expect(try text(Artifact.self, artifact) == "WAL\n===\n\nFound\nit\n\n")
    let message =
      #"{"complete":true,"createdAt":"2026-02-25T10:00:00.000Z","id":"m","role":"user","text":"Hello","type":"message"}"#
    #expect(try text(Message.self, message) == "user\n====\n\nHello\n\n")
  }

  @Test func `files and addresses are lines`() throws {
    let file = #"{"bytes":1,"path":"notes/a.md","sha256":"00","status":"created","type":"file"}"#
    #expect(try cells(FileRecord.self, file) == ["created", "notes/a.md"])
    let beside =
      #"{"beside":"b.md","bytes":1,"path":"a.md","sha256":"00","status":"created","type":"file"}"#
    #expect(
      try cells(FileRecord.self, beside) == [
        "created", "a.md, beside b.md, which was changed by hand",
      ])
    let url = #"{"type":"url","url":"https://sqlite.org/wal.html"}"#
    #expect(try cells(URLRecord.self, url) == ["https://sqlite.org/wal.html"])
  }

  @Test func `gates and receipts are lines`() throws {
    let gate =
      #"{"gateId":"g","requestedAt":"2026-02-25T10:01:00.000Z","requestedBy":"stage-run","revision":1,"status":"pending","summary":"Approve it","ts":1772013660000,"type":"approvalGate"}"#
    #expect(
      try cells(ApprovalGate.self, gate) == [
        "g", "pending", "2026-02-25T10:01:00.000Z", "Approve it",
      ])
    let receipt =
      #"{"actor":"ada","decision":"reject","gateId":"g","reason":"wrong","replayed":false,"requestId":"r","status":"rejected","ts":1772013720000,"type":"decisionReceipt"}"#
    #expect(
      try cells(DecisionReceipt.self, receipt) == [
        "g", "rejected", "2026-02-25T10:02:00.000Z", "ada", "wrong",
      ])
    let control =
      #"{"action":"pause","actor":"ann","id":"linter","outcome":"applied","reason":"cost","replayed":true,"requestId":"r","target":"agent","ts":1772013600000,"type":"controlReceipt"}"#
    #expect(
      try cells(ControlReceipt.self, control) == [
        "pause", "agent", "linter", "applied (again)", "ann", "cost",
      ])
  }

  @Test func `keys are lines, and no secret is whole`() throws {
    let key = #"{"masked":"sk-ant-...x4Qz","name":"anthropic","source":"keyring","type":"key"}"#
    #expect(try cells(KeyRecord.self, key) == ["anthropic", "sk-ant-...x4Qz", "keyring"])
    let host =
      #"{"algorithm":"ssh-ed25519","file":"/k","fingerprint":"SHA256:x","host":"[box]:2222","status":"added","type":"hostKey"}"#
    #expect(
      try cells(HostKeyRecord.self, host) == [
        "added", "[box]:2222", "SHA256:x", "ssh-ed25519", "/k",
      ])
  }

  /// Instants to come are no time ago.
  @Test func `what is watched is lines`() throws {
    let later = "2999-01-01T00:00:00.000Z"
    let swarm =
      #"{"activeAgents":2,"errorRate":0.125,"history":[0,0,1,1,3,1],"id":"review","name":"review","status":"running","throughput":3.5,"type":"swarm","updatedAt":"\#(later)"}"#
    #expect(
      try cells(Swarm.self, swarm) == [
        "review", "running", "2 active", "13 % errors", "3.5/s", "▄▇",
      ])
    let agent =
      #"{"errors":1,"events":42,"id":"linter","sessionId":"s","startedAt":"\#(later)","status":"running","swarmId":"review","taskSummary":"lint.sh","type":"agent","updatedAt":"\#(later)"}"#
    #expect(
      try cells(Agent.self, agent) == ["linter", "running", "0 s", "1 errors", "review", "lint.sh"])
    let incident =
      #"{"agentId":"linter","count":3,"createdAt":"\#(later)","id":"i","severity":"error","status":"open","summary":"cannot open","type":"incident","updatedAt":"\#(later)"}"#
    #expect(
      try cells(Incident.self, incident) == [
        "i", "open", "error", "3×", "0 s", "linter", "cannot open",
      ])
    let session =
      #"{"activityAt":"\#(later)","attached":1,"createdAt":"\#(later)","height":24,"host":"localhost","id":"$0","name":"review","path":"/r","type":"terminalSession","user":"ann","width":80,"windows":2}"#
    #expect(
      try cells(TerminalSession.self, session) == [
        "$0", "review", "2 windows", "1 attached", "80x24", "0 s",
      ])
  }

  @Test func `health is lines`() throws {
    let context =
      #"{"agentId":"linter","maxTokens":200000,"redundancyScore":0.25,"sessionId":"s","tokenUsage":182000,"type":"contextHealth","updatedAt":"2026-02-25T10:00:00.000Z","warnings":["nearCapacity"]}"#
    #expect(
      try cells(ContextHealth.self, context) == [
        "s", "[#########.]", "91 %", "182000 tokens", "25 % repeated", "linter", "nearCapacity",
      ])
    let skill =
      #"{"calls":40,"errorRate":0.25,"isSpiking":true,"name":"Bash","p95LatencyMs":1200,"skillId":"Bash","successRate":0.75,"type":"skillHealth","updatedAt":"2026-02-25T10:00:00.000Z","window":"hour"}"#
    #expect(
      try cells(SkillHealth.self, skill) == [
        "Bash", "hour", "40 calls", "25 % fail", "p95 1200 ms", "spike",
      ])
    let threshold =
      #"{"isDefault":true,"kind":"contextCapacity","type":"threshold","unit":"part","value":0.8}"#
    #expect(
      try cells(Threshold.self, threshold) == ["contextCapacity", "all", "0.8", "part", "default"])
  }

  @Test func `terminals are shown without their power over ours`() throws {
    let output = #"{"data":"$ make\r\n\u001b[2J","paneId":"%0","ts":1,"type":"terminalOutput"}"#
    let shown = try #require(try text(TerminalOutput.self, output))
    #expect(shown.hasPrefix("$ make\n"))
    #expect(!shown.contains("\u{1B}"))
    let event =
      #"{"event":"windowRenamed","name":"build","ts":1772013600000,"type":"terminalEvent","windowId":"@1"}"#
    #expect(
      try cells(TerminalEvent.self, event) == [
        "2026-02-25T10:00:00.000Z", "windowRenamed", "@1", "build",
      ])
  }

  @Test func `a record that has no form of its own is its JSON`() throws {
    let gap = #"{"from":"a-1","reason":"retention","to":"a-2","ts":1,"type":"gap"}"#
    #expect(try text(Gap.self, gap)?.contains(#""reason":"retention""#) == true)
  }
}
