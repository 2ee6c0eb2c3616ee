import Foundation
import TestSupport
import Testing

/// A hub that sends events on: to a collector, and to another hub.
@Suite("hub-serve --otlp")
struct HubForwardingTests {
  /// Starts a hub whose home is a folder of the scratch place, and tells its URL.
  private static func start(
    _ scratch: Scratch, _ home: String, _ options: String
  ) async throws -> (hub: Running, url: String) {
    let hub = try scratch.running(
      "AGENTPIPES_HOME='\(scratch.path(home))' exec hub-serve \(options)", input: nil)
    try await scratch.until("it listens") { hub.errors.contains("listening on ") }
    let words = hub.errors.split(whereSeparator: \.isWhitespace)
    return (hub, String(words.last { $0.hasPrefix("http") } ?? ""))
  }

  private static func end(_ hub: Running) async {
    hub.child.signal(SIGTERM)
    _ = await hub.ended()
  }

  /// The field with the token of a hub's operator.
  private static func field(_ scratch: Scratch, _ home: String) -> String {
    let token = scratch.read("\(home)/data/hub.token").trimmingCharacters(in: .newlines)
    return "Authorization: Bearer \(token)"
  }

  /// Asks something until the answer is as it is to be, or for a minute.
  private static func ask(
    _ scratch: Scratch, _ line: String, until isRight: (String) -> Bool
  ) async throws -> String {
    let limit = Date.now.addingTimeInterval(300)
    while true {
      let output = try await scratch.shell(line).output
      if isRight(output) || Date.now > limit { return output }
    }
  }

  /// An event of every kind, as a hub sends them.
  private static let events =
    [
      #"{"type":"traceEvent","ts":1735300001000,"agentId":"a","swarmId":"w","spanId":"eee19b7ec3c1b174","traceId":"5b8efff798038103d269b633813fc60c","phase":"start","name":"chat","attrs":{}}"#,
      #"{"type":"traceEvent","ts":1735300001500,"agentId":"a","swarmId":"w","spanId":"s2","phase":"progress","name":"said","attrs":{"n":1}}"#,
      #"{"type":"traceEvent","ts":1735300002000,"agentId":"a","swarmId":"w","spanId":"eee19b7ec3c1b174","traceId":"5b8efff798038103d269b633813fc60c","phase":"end","name":"chat","attrs":{"gen_ai.usage.input_tokens":10,"x":[1,{"y":null}]},"labels":{"l":"m"}}"#,
      #"{"type":"traceEvent","ts":1735300002001,"agentId":"b","spanId":"s3","name":"whole","attrs":{"error.type":"timeout"},"sessionId":"c1","skillId":"k"}"#,
      #"{"type":"log","ts":1735300003000,"agentId":"a","host":"laptop","level":"critical","message":"down\n\u0000é","count":3,"mine":{"b":1}}"#,
      #"{"type":"metric","ts":1735300004000,"scope":"swarm","swarmId":"w","name":"error_rate","value":0.12}"#,
      #"{"type":"approvalGate","ts":1735300005000,"gateId":"g1","status":"approved","summary":"Deploy?","requestedAt":"2026-02-25T10:00:00.000Z","revision":2,"agentId":"a"}"#,
      #"{"type":"alert","ts":1735300006000,"kind":"incident","severity":"error","summary":"down","agentId":"a","incidentId":"i1"}"#,
      #"{"type":"control","ts":1735300007000,"target":"agent","agentId":"a","action":"pause","reason":"runaway","actor":"ann","requestId":"r1","outcome":"applied","srcId":"own"}"#,
    ].joined(separator: "\n") + "\n"

  @Test func `from hub to hub every kind of event comes back as it was, once`() async throws {
    try await Scratch.with { scratch in
      let far = try await Self.start(scratch, "far", "--listen 127.0.0.1:\(SSHHost.freePort())")
      let code = try await scratch.shell(
        "AGENTPIPES_HOME='\(scratch.path("far"))' hub-serve register-code --scope hub | jq -r .code"
      )
      let port = far.url.split(separator: ":").last ?? ""
      try await scratch.shell(
        "AGENTPIPES_HOME='\(scratch.path("near"))' pair register \(far.url) --name near --code \(code.output)"
      )
      let near = try await Self.start(
        scratch, "near", "--listen 127.0.0.1:0 --otlp \(far.url)/")
      let own = try await scratch.shell(
        "AGENTPIPES_HOME='\(scratch.path("near"))' hub-serve register-code --scope hub | jq -r .code"
      )
      // The public key of RFC 8032, 7.1, test 1.
      let grant = try await scratch.shell(
        "curl -sd '{\"code\":\"'\(own.output.trimmingCharacters(in: .newlines))'\",\"deviceName\":\"x\",\"devicePublicKey\":\"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\"}' \(near.url)/v1/auth/device/register | jq -r .accessToken"
      )
      scratch.set("SENDER", grant.output.trimmingCharacters(in: .newlines))
      scratch.set("NEAR", Self.field(scratch, "near"))
      scratch.set("FAR", Self.field(scratch, "far"))
      try scratch.write("work/events.ndjson", Self.events)
      func send(_ url: String) async throws -> String {
        try await scratch.shell(
          "curl -sH \"Authorization: Bearer $SENDER\" --data-binary @events.ndjson \(url)/v1/events | jq -c '[.accepted, .rejected]'"
        ).output
      }
      // Only what was sent to the near hub is compared: each hub raises alerts of its own.
      let shape =
        "jq -cS '.events[] | select(.type != \"alert\" or .incidentId == \"i1\") | del(.id, .srcId, .host)' | sort"
      let nearLines = "curl -sH \"$NEAR\" \"$URL/v1/events?limit=10000\" | \(shape)"
      let farLines = nearLines.replacingOccurrences(of: "$NEAR", with: "$FAR")
        .replacingOccurrences(of: "$URL", with: far.url)
      func lines(_ hub: (hub: Running, url: String)) -> String {
        nearLines.replacingOccurrences(of: "$URL", with: hub.url)
      }
      #expect(try await send(near.url) == "[9,[]]\n")
      let told = try await scratch.shell(lines(near)).output
      #expect(told.split(separator: "\n").count == 9)
      #expect(try await Self.ask(scratch, farLines) { $0 == told } == told)

      // An event says where it came from first.
      let hosts =
        "jq -r '.events[] | select(.type != \"alert\" or .incidentId == \"i1\") | .host // \"-\"' | sort"
      let machine = try await scratch.shell("uname -n").output
      #expect(
        try await scratch.shell("curl -sH \"$NEAR\" \(near.url)/v1/events | \(hosts)").output
          == String(repeating: "-\n", count: 8) + "laptop\n")
      #expect(
        try await scratch.shell("curl -sH \"$FAR\" \(far.url)/v1/events | \(hosts)").output
          == (["laptop\n"] + Array(repeating: machine, count: 8)).sorted().joined())

      // While the other is away nobody waits for it, and nothing is lost by a restart.
      await Self.end(far.hub)
      #expect(try await send(near.url) == "[9,[]]\n")
      try await scratch.until("it is told") {
        near.hub.errors.contains("events are waiting to be forwarded")
      }
      await Self.end(near.hub)
      let back = try await Self.start(
        scratch, "near", "--listen 127.0.0.1:0 --otlp \(far.url)/")
      let again = try await Self.start(scratch, "far", "--listen 127.0.0.1:\(port)")
      let both = try await scratch.shell(lines(back)).output
      #expect(both.split(separator: "\n").count == 17)
      #expect(try await Self.ask(scratch, farLines) { $0 == both } == both)
      await Self.end(back.hub)
      await Self.end(again.hub)
    }
  }

  private static let answers = """
    [{"status": 503, "headers": {"Retry-After": "0"}}, {"status": 400, "body": {"message": "no"}},
     {"body": {"partialSuccess": {"rejectedSpans": "1", "errorMessage": "too old"}}}]
    """

  @Test func `a collector is asked again where that may help, and not otherwise`() async throws {
    try await Scratch.with { scratch in
      let script = try scratch.write("given/script.json", Self.answers)
      let server = try await Server(
        scratch, "collector_server.py", ["--script", script], log: "collector.log")
      try scratch.write("work/secret", "s3cret-of-the-collector\n")
      try await scratch.shell("key-store set otlp <secret")
      let hub = try scratch.starting(
        "hub-serve --listen 127.0.0.1:0 --otlp \(server.url(""))", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let words = hub.errors.split(whereSeparator: \.isWhitespace)
      scratch.set("HUB", String(words.last { $0.hasPrefix("http") } ?? ""))
      scratch.set("AUTH", Self.field(scratch, "home"))
      func send(_ event: String) async throws {
        try await scratch.shell("curl -sH \"$AUTH\" -d '\(event)' $HUB/v1/events")
      }
      func requests(_ count: Int) async throws {
        try await scratch.until("\(count) requests came") { server.requests.count == count }
      }
      try await send(#"{"type":"log","ts":1,"agentId":"a","level":"info","message":"one"}"#)
      try await requests(2)
      try await send(
        #"{"type":"traceEvent","ts":2,"agentId":"a","spanId":"s","name":"n","phase":"end","attrs":{}}"#
      )
      try await requests(3)
      try await send(
        #"{"type":"metric","ts":3,"scope":"agent","agentId":"a","name":"m","value":1}"#)
      try await requests(4)
      #expect(
        server.requests.map { $0["path"] }
          == ["/v1/logs", "/v1/logs", "/v1/traces", "/v1/metrics"])
      #expect(Set(server.requests.map { $0["contentType"] }) == ["application/json"])
      #expect(
        Set(server.requests.map { $0["authorization"] }) == ["Bearer s3cret-of-the-collector"])
      let counts = try await Self.ask(
        scratch, "curl -s $HUB/metrics | grep -E '^agentpipes_hub_(forward|reject)' | sort"
      ) { $0.contains("forwarded_events_total 1") }
      #expect(
        counts == """
          agentpipes_hub_forwarded_events_total 1
          agentpipes_hub_forwarding_gaps_total 0
          agentpipes_hub_forwarding_retries_total 1
          agentpipes_hub_rejected_events_total 2

          """)
      #expect(hub.errors.components(separatedBy: "events are waiting to be forwarded").count == 2)
      #expect(hub.errors.contains("the collector rejected some events: too old"))
      #expect(!hub.errors.contains("s3cret"))
      let wrong = try await scratch.shell("hub-serve --otlp ftp://x --listen 127.0.0.1:0")
      #expect(wrong.statuses == [64])
      await Self.end(hub)
    }
  }
}
