import Foundation
import TestSupport
import Testing

/// A hub that serves, and those who ask it.
@Suite("hub-serve")
struct HubServeTests {
  /// Runs a test with a hub that listens: `HUB` is its URL, `AUTH` the field with its operator's token.
  private static func withHub(_ body: (Scratch, Running) async throws -> Void) async throws {
    try await Scratch.withHub { scratch, hub in
      scratch.set("PYTHON", Places.python)
      scratch.set("READER", "\(Places.tests)/Support/Servers/stream_reader.py")
      try await body(scratch, hub)
    }
  }

  private static let events =
    [
      #"{"agentId":"a1","level":"info","message":"reads","srcId":"s1","ts":1735300001000,"type":"log"}"#,
      #"{"agentId":"a2","level":"error","message":"slow","swarmId":"w1","ts":1735300002000,"type":"log"}"#,
      "nonsense", #"{"type":"stage"}"#,
      #"{"agentId":"a2","attrs":{"error.type":"timeout"},"name":"chat","phase":"end","spanId":"s","traceId":"t1","ts":1735300003000,"type":"traceEvent"}"#,
      #"{"agentId":"a2","attrs":{},"name":"chat","phase":"end","spanId":"t","traceId":"t2","ts":1735300004000,"type":"traceEvent"}"#,
      #"{"name":"error_rate","scope":"swarm","swarmId":"w1","ts":1735300006000,"type":"metric","value":0.12}"#,
    ].joined(separator: "\n") + "\n"

  @Test func `what agents tell comes in once and is given to who asks`() async throws {
    try await Self.withHub { scratch, _ in
      try scratch.write("work/events.ndjson", Self.events)
      let send = "curl -sH \"$AUTH\" --data-binary @events.ndjson $HUB/v1/events"
      try await scratch.shell("\(send) | jq -c '[.accepted, .rejected]'")
      try await scratch.shell(
        "gzip -n <events.ndjson | curl -sH \"$AUTH\" -H 'Content-Encoding: gzip' --data-binary @- $HUB/v1/events | jq .accepted"
      )
      for query in [
        "limit=2", "severityGte=error", "include=metrics", "agentIds=a1", "text=slow",
        "since=2024-12-27T11:46:44Z", "include=all", "severityGte=loud", "limit=0",
      ] {
        try await scratch.shell(
          "curl -sH \"$AUTH\" \"$HUB/v1/events?\(query)\" | jq -c 'if .events then [.events[] | .ts] else .explanation end'"
        )
      }
      try await scratch.shell(
        "curl -sH \"$AUTH\" $HUB/v1/traces/t1 | jq -c '[.traceId, (.events | length)]'")
      try await scratch.shell("curl -sH \"$AUTH\" $HUB/v1/traces/t9 | jq -r .explanation")
      try scratch.expectGolden("hub-serve/events")
    }
  }

  @Test func `gates, controls and thresholds are steered and audited`() async throws {
    try await Self.withHub { scratch, _ in
      func ask(_ method: String, _ path: String, _ body: String, _ filter: String) async throws {
        try await scratch.shell(
          "curl -sX \(method) -H \"$AUTH\" -d '\(body)' -w '%{http_code}\\n' $HUB\(path) | jq -c '\(filter)'"
        )
      }
      let opened = try await scratch.shell(
        "curl -sH \"$AUTH\" -d '{\"summary\":\"Deploy the fix?\",\"context\":{\"risk\":\"downtime\"}}' $HUB/v1/approval-gates | jq -r .gateId"
      )
      let gate = opened.output.trimmingCharacters(in: .newlines)
      let path = "/v1/approval-gates/\(gate)"
      let shown = "if type == \"object\" then (.code // .status // .outcome // .value) else . end"
      try await ask("POST", path + "/decision", #"{"decision":"reject","reason":"no"}"#, shown)
      try await ask("POST", path + "/decision", #"{"decision":"approve","requestId":"r1"}"#, shown)
      try await ask("POST", path + "/decision", #"{"decision":"approve","requestId":"r1"}"#, shown)
      try await ask(
        "POST", path + "/decision", #"{"decision":"reject","reason":"it is too risky"}"#,
        "if type == \"object\" then [.code, .receipt.decision] else . end")
      try await ask("POST", path + "/decision", #"{"decision":"maybe"}"#, shown)
      try await ask("POST", path + "/decision", "{", shown)
      try await ask("PUT", "/v1/thresholds/incident/all", #"{"value":3}"#, shown)
      try await ask("PUT", "/v1/thresholds/skillFailure/all", #"{"value":3}"#, shown)
      try await ask("GET", "/v1/thresholds/incident/linter", "", shown)
      try await ask(
        "POST", "/v1/agents/linter/control",
        #"{"action":"pause","reason":"runaway","requestId":"r2"}"#, shown)
      try await scratch.shell("curl -sH \"$AUTH\" \"$HUB/v1/approval-gates?status=pending\"")
      try await scratch.shell(
        "curl -sH \"$AUTH\" $HUB/v1/audit | jq -c '.audit[] | [.target, .action, .outcome, .replayed]'"
      )
      let audit = scratch.runs.suffix(12).map(\.output).joined(separator: "---\n")
      #expect(
        audit == """
          "BadInput"
          422
          ---
          "approved"
          200
          ---
          "approved"
          200
          ---
          ["Conflict","approve"]
          409
          ---
          "BadInput"
          400
          ---
          "BadInput"
          400
          ---
          3
          200
          ---
          "BadInput"
          422
          ---
          3
          200
          ---
          "NotFound"
          404
          ---
          {"approvalGates":[]}
          ---
          ["gate","approve","approved",false]
          ["gate","approve","approved",true]
          ["gate","reject","Conflict",false]
          ["threshold","set 3.0","applied",false]
          ["agent","pause","NotFound",false]

          """)
    }
  }

  @Test func `nobody comes in without a token, by another name, or for another's page`()
    async throws
  {
    try await Self.withHub { scratch, _ in
      for fields in [
        "", "-H \"$AUTH\"", "-H 'Authorization: Bearer ap1o_wrong'",
        "-H \"$AUTH\" -H 'Host: evil.example'", "-H \"$AUTH\" -H 'Origin: http://evil.example'",
        "-H \"$AUTH\" -H 'Sec-Fetch-Site: cross-site'", "-H \"$AUTH\" -H 'Host: localhost'",
      ] {
        try await scratch.shell(
          "curl -so /dev/null -w '%{http_code}\\n' \(fields) $HUB/v1/overview")
      }
      try await scratch.shell("curl -so /dev/null -w '%{http_code}\\n' $HUB/health")
      try await scratch.shell("curl -s $HUB/metrics | grep -c '^agentpipes_hub_'")
      try await scratch.shell("curl -s $HUB/v1/protocol")
      try await scratch.shell(
        "curl -so /dev/null -w '%{http_code}\\n' -H \"$AUTH\" $HUB/v1/nothing")
      #expect(
        scratch.runs.map(\.output).joined() == """
          401
          200
          401
          421
          403
          403
          200
          200
          10
          {"protocol":1,"supported":[1]}
          404

          """)
    }
  }

  @Test func `a device registers with a code and may do what its scope says`() async throws {
    try await Self.withHub { scratch, _ in
      let code = try await scratch.shell("hub-serve register-code --scope events | jq -r .code")
      scratch.set("CODE", code.output.trimmingCharacters(in: .newlines))
      scratch.set("OTHER", scratch.path("other"))
      let registered = try await scratch.shell(
        "AGENTPIPES_HOME=$OTHER pair register $HUB --code $CODE --name phone | jq -r .name")
      #expect(registered.output == "phone\n")
      let again = try await scratch.shell(
        "AGENTPIPES_HOME=$OTHER pair register $HUB --code $CODE --name phone")
      #expect(again.statuses == [77])
      let devices = try await scratch.shell(
        "hub-serve devices | jq -c '[.name, .scope, .revoked]'")
      #expect(devices.output == "[\"phone\",\"events\",false]\n")
      let other = try await scratch.shell(
        "hub-serve register-code --scope events --name ci | jq -r .code")
      scratch.set("CODE", other.output.trimmingCharacters(in: .newlines))
      // The public key of RFC 8032, 7.1, test 1.
      let grant = try await scratch.shell(
        "curl -sd '{\"code\":\"'$CODE'\",\"deviceName\":\"x\",\"devicePublicKey\":\"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\"}' $HUB/v1/auth/device/register | jq -r .accessToken"
      )
      scratch.set(
        "DEVICE", "Authorization: Bearer \(grant.output.trimmingCharacters(in: .newlines))")
      let sent = try await scratch.shell(
        "curl -sH \"$DEVICE\" -d '{\"type\":\"log\",\"ts\":1,\"agentId\":\"a\",\"level\":\"info\",\"message\":\"m\"}' $HUB/v1/events | jq .accepted"
      )
      #expect(sent.output == "1\n")
      for path in ["overview", "events", "stream", "approval-gates", "approval-gates/x", "audit"] {
        let refused = try await scratch.shell(
          "curl -so /dev/null -w '%{http_code}' -H \"$DEVICE\" $HUB/v1/\(path)")
        #expect(refused.output == "403", "\(path)")
      }
      let id = try await scratch.shell("hub-serve devices | jq -r 'select(.name == \"ci\").id'")
      scratch.set("ID", id.output.trimmingCharacters(in: .newlines))
      #expect(try await scratch.shell("hub-serve revoke $ID | jq .revoked").output == "true\n")
      let gone = try await scratch.shell(
        "curl -so /dev/null -w '%{http_code}' -H \"$DEVICE\" -d '{}' $HUB/v1/events")
      #expect(gone.output == "401")
    }
  }

  @Test(.enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `both forms of the stream give the same lines, and what a cut took is given again`()
    async throws
  {
    try await Self.withHub { scratch, hub in
      let asked = "agentIds=a2&maxEventsPerSecond=100000"
      let subscription =
        #"{"type":"subscribe","requestId":"r","filters":{"agentIds":["a2"]},"maxEventsPerSecond":100000}"#
      scratch.set("SUBSCRIPTION", subscription)
      _ = try scratch.running("exec curl -sNH \"$AUTH\" \"$HUB/v1/stream?\(asked)\" >feed")
      func feed(_ name: String = "feed") -> [Substring] {
        scratch.read("work/\(name)").split(separator: "\n").filter { $0.hasPrefix("data: ") }
          .map { $0.dropFirst("data: ".count) }
      }
      let socket = try scratch.running(
        "exec $PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\"")
      try await scratch.until("the socket reads") { socket.errors.contains("subscribed") }
      try await scratch.until("the other reads") { scratch.read("work/feed").hasPrefix(":") }
      let send =
        "seq 1 500 | jq -c '{type:\"log\",ts:.,agentId:(if . % 2 == 0 then \"a2\" else \"a1\" end),level:\"info\",message:\"line \\(.)\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events"
      let first = try await scratch.shell("\(send) | jq -r .lastId")
      try await scratch.until("both have it") {
        socket.output.contains("line 500") && scratch.read("work/feed").contains("line 500")
      }
      #expect(feed() == socket.output.split(separator: "\n"))
      #expect(feed().count == 250)
      // Who was away begins after the last event seen, in the log and then in memory.
      try await scratch.shell("\(send) | jq -r .lastId")
      scratch.set("LAST", first.output.trimmingCharacters(in: .newlines))
      let again = try scratch.running(
        "exec curl -sNH \"$AUTH\" -H \"Last-Event-ID: $LAST\" \"$HUB/v1/stream?\(asked)\" >again")
      try await scratch.until("both have it again") {
        socket.output.split(separator: "\n").count == 500 && feed().count == 500
      }
      try await scratch.until("what was missed is there") { feed("again").count == 250 }
      #expect(feed("again")[...] == feed().suffix(250))
      again.child.signal(SIGTERM)
      hub.child.signal(SIGTERM)
      #expect(await hub.ended().statuses == [128 + SIGTERM])
      _ = await socket.ended()
      #expect(socket.errors.contains("closed 1001"))
    }
  }

  @Test func `stream-tail follows a hub through a cut, by both ways alike`() async throws {
    try await Self.withHub { scratch, hub in
      let proxy = try await scratch.serveProxy(to: scratch.hubPort)
      let code = "$(hub-serve register-code --scope read | jq -r .code)"
      try await scratch.shell("pair register http://127.0.0.1:\(proxy.port) --code \(code)")
      func send(_ first: Int) async throws -> ToolRun {
        try await scratch.shell(
          "seq \(first) \(first + 99) | jq -c '{type:\"log\",ts:.,agentId:(if . % 2 == 0 then \"a2\" else \"a1\" end),level:\"info\",message:\"line \\(.)\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq -r .lastId"
        )
      }
      let before = try await send(1000).output.trimmingCharacters(in: .newlines)
      let tails = try ["http", "ws"].map { scheme in
        try scratch.starting(
          "stream-tail", "--follow", "--strict", "--hub", "\(scheme)://127.0.0.1:\(proxy.port)",
          "--agent", "a2", "--after", before, input: nil)
      }
      _ = try await send(0)
      try await scratch.until("all came") {
        tails.allSatisfy { $0.output.contains("line 98") }
      }
      proxy.child.signal(SIGUSR1)
      try await scratch.until("the loss is told") {
        tails.allSatisfy { $0.errors.contains(": retrying") }
      }
      _ = try await send(100)
      try await scratch.until("what came meanwhile is there") {
        tails.allSatisfy { $0.output.contains("line 198") }
      }
      let read = try await scratch.shell("stream-tail --hub $HUB --agent a2 --after \(before)")
      #expect(read.records.count == 100)
      for tail in tails {
        tail.child.signal(SIGTERM)
        let followed = await tail.ended()
        #expect(followed.output == read.output)
        #expect(followed.statuses == [128 + SIGTERM])
      }
      let some = try await scratch.shell("AGENTPIPES_HUB=$HUB stream-tail -n 2 | jq -r .message")
      #expect(some.output == "line 198\nline 199\n")
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
      for scheme in ["http", "ws"] {
        let nowhere = try await scratch.shell("stream-tail --follow --hub \(scheme)${HUB#http}")
        #expect(nowhere.records("error").first?["code"] == "NetworkUnavailable")
        #expect(nowhere.statuses == [69])
      }
    }
  }

  @Test func `a gap is told whatever is asked for, and is a failure to who is strict`()
    async throws
  {
    try await Self.withHub { scratch, _ in
      try await scratch.shell(
        "echo '{\"type\":\"log\",\"ts\":1,\"agentId\":\"a\",\"level\":\"info\",\"message\":\"m\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq .accepted"
      )
      scratch.set("SOCKET", scratch.environment["HUB"].map { "ws" + $0.dropFirst(4) })
      let wanted = "--after 0000000000000000-1 --agent a"
      let told = try await scratch.shell("stream-tail --hub $HUB \(wanted)")
      #expect(told.records.map { $0["type"] } == ["gap", "log"] && told.statuses == [0])
      for hub in ["--hub $HUB", "--follow --hub $HUB", "--follow --hub $SOCKET", ""] {
        let strict = try await scratch.shell("stream-tail --strict \(hub) \(wanted)")
        #expect(strict.records.map { $0["type"] } == ["gap", "error"], "\(hub)")
        #expect(strict.records("gap").first?["reason"] == "epoch")
        let error = strict.records("error").first
        #expect(error?["code"] == "StreamInterrupted" && error?["kind"] == "gap")
        #expect(strict.statuses == [69])
      }
    }
  }

  @Test(.enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `of a flood all is given or counted, and errors are never left out`() async throws {
    try await Self.withHub { scratch, _ in
      scratch.set(
        "SUBSCRIPTION", #"{"type":"subscribe","filters":{},"maxEventsPerSecond":100}"#)
      let socket = try scratch.running(
        "exec $PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\"")
      try await scratch.until("the socket reads") { socket.errors.contains("subscribed") }
      try await scratch.shell(
        "seq 1 20000 | jq -c '{type:\"log\",ts:.,agentId:\"a\",level:(if . % 1000 == 0 then \"error\" else \"info\" end),message:\"line \\(.)\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq .accepted"
      )
      var given = 0
      try await scratch.until("all is given or counted") {
        let records = Record.all(in: socket.output)
        given = records.count { $0.type == "log" }
        let suppressed = records.filter { $0.type == "suppressed" }
          .reduce(0) { $0 + Int($1.number("count") ?? 0) }
        return given + suppressed == 20_000
      }
      let errors = Record.all(in: socket.output).count { $0["level"] == "error" }
      #expect(errors == 20)
      #expect(given < 20_000)
      socket.child.signal(SIGTERM)
      _ = await socket.ended()
    }
  }

  @Test(.enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `another protocol, and messages that are none, end a socket`() async throws {
    try await Self.withHub { scratch, _ in
      scratch.set("SUBSCRIPTION", #"{"type":"subscribe"}"#)
      let other = try await scratch.shell(
        "$PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=2\" \"$TOKEN\" \"$SUBSCRIPTION\"")
      #expect(other.records("error").first?["code"] == "ProtocolMismatch")
      #expect(other.errors.contains("closed 4406"))
      scratch.set("SUBSCRIPTION", #"{"type":"subscribe","maxEventsPerSecond":0}"#)
      let bad = try await scratch.shell(
        "$PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\" 1")
      #expect(bad.records("error").first?["code"] == "BadInput")
    }
  }

  @Test func `OTLP comes in as JSON and is answered as JSON`() async throws {
    try await Self.withHub { scratch, _ in
      try scratch.write(
        "work/spans.json",
        #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"linter"}}]},"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"chat gpt","startTimeUnixNano":"1735300001000000000","endTimeUnixNano":"1735300002500000000"}]}]}]}"#
      )
      let post =
        "-H \"$AUTH\" -H 'Content-Type: application/json' --data-binary @spans.json $HUB/v1/traces"
      let sent = try await scratch.shell("curl -s \(post)")
      #expect(sent.output == "{}")
      try await scratch.shell("gzip -nc spans.json >packed")
      let packed = try await scratch.shell(
        "curl -s -H 'Content-Encoding: gzip' -H \"$AUTH\" -H 'Content-Type: application/json' --data-binary @packed $HUB/v1/traces"
      )
      #expect(packed.output == "{}")
      let told = try await scratch.shell(
        "curl -sH \"$AUTH\" $HUB/v1/events | jq -c '.events[] | [.agentId, .phase, .ts, .attrs[\"agentpipes.duration_ms\"]]'"
      )
      #expect(told.output == "[\"linter\",\"end\",1735300002500,1500]\n")
      let wrong = try await scratch.shell(
        "curl -so /dev/null -w '%{http_code}' -H \"$AUTH\" -H 'Content-Type: text/plain' -d x $HUB/v1/logs"
      )
      #expect(wrong.output == "415")
    }
  }

  @Test func `a place that is taken, and files of TLS that are none, are told`() async throws {
    try await Self.withHub { scratch, hub in
      let words = hub.errors.split(whereSeparator: \.isWhitespace)
      let place = words.last { $0.hasPrefix("http") }?.dropFirst("http://".count) ?? ""
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let second = try await scratch.shell("hub-serve --listen \(place)")
      #expect(second.records("error").first?["code"] == "NetworkUnavailable")
      #expect(second.statuses == [69])
      let tls = try await scratch.shell(
        "hub-serve --listen 127.0.0.1:0 --tls-certificate missing.pem --tls-key missing.pem")
      #expect(tls.records("error").first?["code"] == "KeyUnreadable")
      let half = try await scratch.shell("hub-serve --tls-key missing.pem")
      #expect(half.statuses == [64])
      #expect(try await scratch.shell("hub-serve --listen nowhere").statuses == [64])
    }
  }
}
