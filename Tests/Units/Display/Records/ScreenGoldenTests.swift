import Core
import Foundation
import TestSupport
import Testing

@testable import Display

/// Every text view at the widths of four terminals, with data that would break it.
@Suite struct ScreenGoldenTests {
  /// The moment that times are told from: 2026-02-25T10:30:00Z.
  private static let now = Timestamp(milliseconds: 1_772_015_400_000)
  private static let hostile =
    "a\\u001b[2J 漢字の長い名前 👩‍👩‍👧‍👦 \\u202eevil\\u202c cafe\u{301} and more words than fit"
  private static let at = "2026-02-25T10:27:00.000Z"
  private static let id = "0198f3a1-7b3c-7def-8123-4567"

  private static func views() throws -> [(name: String, records: [any StreamRecord])] {
    func many<Record: StreamRecord>(_ type: Record.Type, _ json: [String]) throws
      -> [any StreamRecord]
    {
      try json.map { try Record(RawRecord(line: Array($0.utf8))) }
    }
    return [
      (
        "agents",
        try many(
          Agent.self,
          ["linter", hostile, "\(id)89abcdef"].map {
            #"{"costUSD":0.5,"errors":3,"events":42,"id":"\#($0)","status":"running","swarmId":"\#(id)0000cafe","taskSummary":"\#(hostile)","type":"agent","updatedAt":"\#(at)","usage":{"inputTokens":81200,"outputTokens":2400}}"#
          })
      ),
      (
        "agents of several machines",
        try many(
          Agent.self,
          [#""host":"laptop","#, "", #""host":"build-server-7.example.org","#].map {
            #"{"costUSD":0.5,"errors":3,"events":42,\#($0)"id":"linter","status":"running","swarmId":"\#(id)0000cafe","taskSummary":"\#(hostile)","type":"agent","updatedAt":"\#(at)","usage":{"inputTokens":81200,"outputTokens":2400}}"#
          })
      ),
      (
        "agents of one other machine",
        try many(
          Agent.self,
          ["one", "two"].map {
            #"{"errors":0,"events":42,"host":"laptop","id":"\#($0)","status":"running","type":"agent","updatedAt":"\#(at)"}"#
          })
      ),
      (
        "gates of several machines",
        try many(
          ApprovalGate.self,
          [#""host":"\#(hostile)","#, ""].map {
            #"{"agentId":"linter","gateId":"\#(id)89abcdef",\#($0)"requestedAt":"\#(at)","revision":1,"status":"pending","summary":"Deploy the fix?","ts":1,"type":"approvalGate"}"#
          })
      ),
      (
        "swarms",
        try many(
          Swarm.self,
          ["review", hostile].map {
            #"{"activeAgents":12,"errorRate":0.125,"history":[0,0,1,1,3,1,0,5],"id":"\#(id)89abcdef","name":"\#($0)","status":"terminated","throughput":3.5,"type":"swarm","updatedAt":"\#(at)"}"#
          })
      ),
      (
        "incidents",
        try many(
          Incident.self,
          ["error", "critical"].map {
            #"{"agentId":"linter","count":3,"createdAt":"\#(at)","id":"\#(id)89abcdef","severity":"\#($0)","status":"open","summary":"\#(hostile)","type":"incident","updatedAt":"\#(at)"}"#
          })
      ),
      (
        "contexts",
        try many(
          ContextHealth.self,
          [
            #"{"agentId":"\#(hostile)","maxTokens":200000,"model":"claude-sonnet-4-6","redundancyScore":0.25,"sessionId":"\#(id)89abcdef","tokenUsage":182000,"type":"contextHealth","updatedAt":"\#(at)","warnings":["nearCapacity"]}"#
          ])
      ),
      (
        "skills",
        try many(
          SkillHealth.self,
          [
            #"{"calls":40000,"errorRate":0.25,"isSpiking":true,"name":"\#(hostile)","p95LatencyMs":1200,"skillId":"Bash","successRate":0.75,"type":"skillHealth","updatedAt":"\#(at)","window":"hour"}"#
          ])
      ),
      (
        "usage",
        try many(
          UsageSum.self,
          [("review", 81200, "0.5"), (hostile, 900, "null"), ("", 12, "0.0302")].map {
            let key = $0.0.isEmpty ? "" : "\(id)89abcdef"
            return
              #"{"by":"swarm","cacheReadTokens":512,"cacheWriteTokens":0,"calls":40,"costUSD":\#($0.2),"inputTokens":\#($0.1),"key":"\#(key)","name":"\#($0.0)","outputTokens":240,"type":"usage"}"#
          })
      ),
      (
        "tools",
        try many(
          ToolRecord.self,
          ["get_time", hostile].map {
            #"{"description":"\#(hostile)","inputSchema":{},"listedAt":"\#(at)","name":"\#($0)","source":"mcp:box","type":"tool"}"#
          })
      ),
      (
        "toolResults",
        try many(
          ToolResult.self,
          [
            #"{"content":[{"text":"\#(hostile)","type":"text"},{"data":"","mimeType":"image/png","type":"image"}],"id":"1","isError":false,"name":"a","type":"toolResult"}"#,
            #"{"content":[],"error":{"code":"ToolFailed","explanation":"\#(hostile)"},"id":"1","isError":true,"name":"a","type":"toolResult"}"#,
          ])
      ),
      (
        "models",
        try many(
          ModelRecord.self,
          [
            #"{"available":true,"contextTokens":200000,"inputPricePerMillion":0.8,"kind":"chat","name":"claude-sonnet-4-6","outputPricePerMillion":15,"provider":"anthropic","type":"model"}"#,
            #"{"available":false,"endpoint":"https://a.example","kind":"responses","name":"\#(hostile)","provider":"local","reason":"needs a key: \#(hostile)","type":"model"}"#,
          ])
      ),
      (
        "price changes",
        try many(
          PriceChange.self,
          [
            #"{"after":{"cacheReadPricePerMillion":0.4,"inputPricePerMillion":30,"outputPricePerMillion":15},"before":{"cacheReadPricePerMillion":0.3,"inputPricePerMillion":3,"outputPricePerMillion":15},"from":"2026-12-01","kept":false,"name":"claude-example-1","provider":"anthropic","tenfold":true,"type":"priceChange"}"#,
            #"{"after":{"bands":[{"aboveInputTokens":200000,"inputPricePerMillion":8}],"inputPricePerMillion":4},"name":"\#(hostile)","provider":"openai","tenfold":false,"type":"priceChange"}"#,
          ])
      ),
      (
        "gates",
        try many(
          ApprovalGate.self,
          [
            #"{"context":{"risk":"high"},"expiresAt":"2026-02-25T10:40:00.000Z","gateId":"\#(id)89abcdef","requestedAt":"\#(at)","requestedBy":"stage-run","revision":1,"status":"pending","summary":"\#(hostile)","ts":1772013660000,"type":"approvalGate"}"#
          ])
      ),
      (
        "pipelines",
        try many(
          Pipeline.self,
          [
            #"{"costUSD":0.0302,"createdAt":"\#(at)","goal":"\#(hostile)","id":"\#(id)89abcdef","stageCount":3,"status":"completed","type":"pipeline","usage":{"inputTokens":812,"outputTokens":240}}"#
          ])
      ),
      (
        "stages",
        try many(
          Stage.self,
          ["researcher", "qaReviewer"].map {
            #"{"approved":false,"costUSD":1.25,"id":"s-\#($0)","pipelineId":"p-1","position":2,"role":"\#($0)","startedAt":"\#(at)","finishedAt":"2026-02-25T10:28:30.000Z","status":"completed","task":"\#(hostile)","type":"stage","usage":{"inputTokens":81200,"outputTokens":2400}}"#
          })
      ),
      (
        "files",
        try many(
          FileRecord.self,
          [
            #"{"bytes":1,"path":"/home/ann/Documents/AgentOS/\#(hostile)/researcher.md","sha256":"00","status":"created","type":"file"}"#
          ])
      ),
      (
        "sessions",
        try many(
          TerminalSession.self,
          [
            #"{"activityAt":"\#(at)","agentId":"linter","attached":1,"createdAt":"\#(at)","height":24,"host":"localhost","id":"$0","name":"\#(hostile)","path":"/r","status":"waiting","type":"terminalSession","user":"ann","width":80,"windows":2}"#
          ])
      ),
      (
        "controls",
        try many(
          ControlReceipt.self,
          [
            #"{"action":"pause","actor":"ann","id":"linter","outcome":"applied","reason":"\#(hostile)","replayed":true,"requestId":"r","target":"agent","ts":1772013600000,"type":"controlReceipt"}"#
          ])
      ),
      (
        "adoptions",
        try many(
          Adoption.self,
          [
            #"{"active":2,"agent":"claude","certain":1,"files":40,"followed":true,"places":["/home/ann/\#(hostile)"],"sessions":12,"tried":["1.0","2.1"],"type":"adoption","unknownEntries":{"new-kind":3},"unreadable":1,"versions":["2.1.326"]}"#
          ])
      ),
      (
        "host keys",
        try many(
          HostKeyRecord.self,
          [
            #"{"algorithm":"ssh-ed25519","file":"/home/ann/.ssh/known_hosts","fingerprint":"SHA256:HUEVphjan5t47D5A2knxekKJBR+hpWXdMxRU6Pd3SaQ","host":"[box.example]:2222","status":"added","type":"hostKey"}"#
          ])
      ),
      (
        "devices",
        try many(
          Device.self,
          [
            #"{"createdAt":"\#(at)","hub":"http://build:7878","id":"\#(id)89abcdef","lastSeenAt":"\#(at)","name":"\#(hostile)","revoked":true,"scope":"events","type":"device"}"#
          ])
      ),
      (
        "pairings",
        try many(
          Pairing.self,
          [
            #"{"code":"K7M4Q-2XWPT","expiresAt":"\#(at)","name":"\#(hostile)","scope":"hub","type":"pairing"}"#
          ])
      ),
      (
        "projects",
        try many(
          Project.self,
          ["work", hostile].map {
            #"{"id":"\#(id)89abcdef","lastUpdatedAt":"\#(at)","localPath":"/home/ann/\#($0)","name":"\#($0)","type":"project"}"#
          })
      ),
      (
        "chats",
        try many(
          Chat.self,
          [
            #"{"id":"\#(id)89abcdef","lastUpdatedAt":"\#(at)","title":"\#(hostile)","type":"chat"}"#
          ])
      ),
      (
        "messages",
        try many(
          Message.self,
          ["user", "assistant"].map {
            #"{"chatId":"\#(id)0000cafe","complete":false,"createdAt":"\#(at)","id":"\#(id)89abcdef","model":"\#(hostile)","role":"\#($0)","text":"One\n\n\#(hostile)","type":"message"}"#
          })
      ),
      (
        "a page",
        try many(
          Artifact.self,
          [
            #"{"content":"\n# \#(hostile)\n\n- \#(hostile)\n- *two*\n\n| a | b |\n|---|---|\n| \#(hostile) | 1 |\n","createdAt":"\#(at)","id":"m","role":"producer","title":"assistant","type":"artifact"}"#
          ])
      ),
    ]
  }

  private static let events = [
    #"{"agentId":"linter","level":"error","message":"\#(hostile)","ts":1772013600000,"type":"log"}"#,
    #"{"agentId":"\#(id)89abcdef","attrs":{"gen_ai.usage.input_tokens":812,"note":"\#(hostile)"},"name":"chat","phase":"end","ts":1772013600000,"type":"traceEvent"}"#,
    #"{"name":"error_rate","scope":"swarm","ts":1772013600000,"type":"metric","value":0.12}"#,
    #"{"reason":"slowConsumer","host":"x","ts":1772013600000,"type":"gap"}"#,
    #"{"agentId":"linter","host":"laptop","level":"info","message":"from there","ts":1772013600000,"type":"log"}"#,
    #"{"agentId":"linter","host":"\#(hostile)","level":"info","message":"from where?","ts":1772013600000,"type":"log"}"#,
    #"{"agentId":"linter","level":"info","message":"from here","ts":1772013600000,"type":"log"}"#,
    #"{"reason":"slowConsumer","ts":1772013600000,"type":"gap"}"#,
  ]

  /// All views, one below the other.
  private static func screen(_ width: Int) throws -> String {
    var text = RecordText(width: width, now: now)
    text.host = "box"
    var shown = "== \(width) columns\n"
    for view in try views() { shown += "-- \(view.name)\n" + (try text.list(view.records)) }
    var events = EventView(width: width, palette: .none)
    events.host = "box"
    shown += "-- events\n"
    for line in Self.events { shown += events.line(try RawRecord(line: Array(line.utf8))) }
    return shown
  }

  @Test func `text views are as they were recorded`() throws {
    let text = try [40, 80, 110, 200].map { try Self.screen($0) }.joined(separator: "\n")
    let file = Checkout.root.appending(path: "Tests/Units/Display/Fixtures/screens.txt").path
    if ProcessInfo.processInfo.environment["AGENTPIPES_RECORD"] != nil {
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    let recorded = FileManager.default.contents(atPath: file).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(text == recorded, "AGENTPIPES_RECORD=1 records what comes out now")
  }

  @Test(arguments: Array(12...220)) func `no line is wider than the terminal`(_ width: Int) throws {
    for line in try Self.screen(width).split(separator: "\n").dropFirst()
    where !line.hasPrefix("--") {
      #expect(Cells.width(line) <= width, "\(line)")
    }
  }

  @Test func `nothing that steers a terminal comes through`() throws {
    #expect(!(try Self.screen(110)).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}
