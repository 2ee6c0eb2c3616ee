import Foundation
import TestSupport
import Testing

/// What a hub keeps, what it adds to records as it sends them, and when what is open ends.
@Suite("hub-serve: keeping, links, ends")
struct HubKeepingTests {
  /// Runs a test with a hub that listens: `HUB` is its URL, `AUTH` the field with its operator's token.
  private static func withHub(
    _ options: [String] = [], configuration: String = "",
    _ body: (Scratch, Running) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/config/config.toml", configuration)
      let hub = try await start(scratch, options)
      try await body(scratch, hub)
    }
  }

  private static func start(_ scratch: Scratch, _ options: [String]) async throws -> Running {
    let words = ["hub-serve", "--listen", "127.0.0.1:0"] + options
    let hub = try scratch.starting(words.joined(separator: " "), input: nil)
    try await scratch.until("it listens") { hub.errors.contains("listening on ") }
    let told = hub.errors.split(whereSeparator: \.isWhitespace)
    let token = scratch.read("home/data/hub.token").trimmingCharacters(in: .newlines)
    scratch.set("HUB", String(told.last { $0.hasPrefix("http") } ?? ""))
    scratch.set("TOKEN", token)
    scratch.set("AUTH", "Authorization: Bearer \(token)")
    scratch.set("PYTHON", Places.python)
    scratch.set("READER", "\(Places.tests)/Support/Servers/stream_reader.py")
    return hub
  }

  /// Sends logs of an agent, whose messages are numbers from one on.
  private static func send(_ scratch: Scratch, _ first: Int, _ last: Int) async throws -> String {
    try await scratch.shell(
      "seq \(first) \(last) | jq -c '{type:\"log\",ts:.,agentId:\"a\",level:\"info\",message:\"\\(.)\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq -r .lastId"
    ).output.trimmingCharacters(in: .newlines)
  }

  /// How many events the hub has, once they are no more than that.
  private static func count(_ scratch: Scratch, atMost most: Int) async throws -> Int {
    let limit = Date.now.addingTimeInterval(300)
    while true {
      let told = try await scratch.shell(
        "curl -sH \"$AUTH\" \"$HUB/v1/events?limit=10000\" | jq '.events | length'")
      let count = Int(told.output.trimmingCharacters(in: .newlines)) ?? -1
      if count <= most || Date.now > limit { return count }
    }
  }

  @Test func `so many events are kept as the hub is told, by other tools too`() async throws {
    try await Self.withHub(["--keep-events", "300"]) { scratch, hub in
      let first = try await Self.send(scratch, 1, 200)
      #expect(try await Self.count(scratch, atMost: 200) == 200)
      _ = try await Self.send(scratch, 201, 2000)
      #expect(try await Self.count(scratch, atMost: 300) == 300)
      let gap = try await scratch.shell(
        "curl -sH \"$AUTH\" \"$HUB/v1/events?after=\(first)&limit=1\" | jq -c '[.gap.reason, .events[0].message]'"
      )
      #expect(gap.output == "[\"retention\",\"1701\"]\n")
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
      let again = try await Self.start(scratch, ["--keep-events", "250"])
      #expect(try await Self.count(scratch, atMost: 250) == 250)
      again.child.signal(SIGTERM)
      _ = await again.ended()
    }
  }

  private static let links = """
    [serve]
    incident_url = "https://w.example/i/{id}"
    gate_url = "https://w.example/g/{id}"
    trace_url = "https://w.example/t/{id}"
    session_url = "https://w.example/s/{id}"
    """

  private static let events =
    [
      #"{"type":"approvalGate","ts":1735300001000,"gateId":"g 1","status":"pending","summary":"Deploy?","requestedAt":"2026-02-25T10:00:00.000Z","revision":1,"webUrl":"https://evil.example/"}"#,
      // What is long ago is remembered by no context.
      #"{"type":"traceEvent","ts":\#(Int(Date.now.timeIntervalSince1970 * 1000)),"agentId":"a","spanId":"s","traceId":"t1","sessionId":"c1","phase":"end","name":"chat","attrs":{"gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":10,"gen_ai.usage.output_tokens":5}}"#,
      #"{"type":"log","ts":1735300003000,"agentId":"a","level":"error","message":"down, see approvalGate"}"#,
    ].joined(separator: "\n") + "\n"

  @Test(.enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `pages of records are added as they are sent, and never stored`() async throws {
    try await Self.withHub(configuration: Self.links) { scratch, hub in
      scratch.set("SUBSCRIPTION", #"{"type":"subscribe","filters":{"include":["approvals"]}}"#)
      let socket = try scratch.running(
        "exec $PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\" 1"
      )
      try await scratch.until("the socket reads") { socket.errors.contains("subscribed") }
      try scratch.write("work/events.ndjson", Self.events)
      let sent = try await scratch.shell(
        "curl -sH \"$AUTH\" --data-binary @events.ndjson $HUB/v1/events | jq .accepted")
      #expect(sent.output == "3\n")
      #expect(
        Record.all(in: await socket.ended().output).map { $0["webUrl"] }
          == ["https://w.example/g/g%201"])
      func ask(_ path: String, _ filter: String) async throws -> String {
        try await scratch.shell("curl -sH \"$AUTH\" \"$HUB\(path)\" | jq -c '\(filter)'").output
      }
      // Who was away reads the log; its lines are linked too.
      let feed = try scratch.running(
        "exec curl -sNH \"$AUTH\" -H 'Last-Event-ID: 0-0' \"$HUB/v1/stream?include=approvals\"")
      try await scratch.until("it is given again") { feed.output.contains("w.example") }
      feed.child.signal(SIGTERM)
      _ = await feed.ended()
      var incidents = "[]"
      while incidents == "[]" {
        incidents = try await ask(
          "/v1/incidents", "[.incidents[] | .webUrl == \"https://w.example/i/\" + .id]"
        )
        .trimmingCharacters(in: .newlines)
      }
      #expect(incidents == "[true]")
      let answers = [
        try await ask("/v1/approval-gates", "[.approvalGates[].webUrl]"),
        try await ask("/v1/approval-gates/g%201", ".approvalGate.webUrl"),
        try await ask("/v1/events?limit=3", "[.events[] | .webUrl // .type]"),
        try await ask("/v1/traces/t1", ".webUrl"),
        try await ask("/v1/context-health", "[.contextHealth[].webUrl]"),
        try await ask(
          "/v1/overview", "[.pendingGates[].webUrl, (.activeIncidents[].webUrl | length)]"),
        try await scratch.shell("stream-tail --type approvalGate | jq -sc 'map(.webUrl) | unique'")
          .output,
      ]
      #expect(
        answers.joined() == """
          ["https://w.example/g/g%201"]
          "https://w.example/g/g%201"
          ["https://w.example/g/g%201","traceEvent","log"]
          "https://w.example/t/t1"
          ["https://w.example/s/c1"]
          ["https://w.example/g/g%201",56]
          [null]

          """)
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }

  @Test func `a gate that is sent is told once in each of its states`() async throws {
    try await Self.withHub { scratch, hub in
      let gate =
        #"{"type":"approvalGate","ts":1,"gateId":"g1","status":"pending","summary":"Deploy?","requestedAt":"2026-02-25T10:00:00.000Z","revision":2,"srcId":"mine"}"#
      try scratch.write("work/gate.json", gate)
      func send() async throws {
        try await scratch.shell("curl -sH \"$AUTH\" --data-binary @gate.json $HUB/v1/events")
      }
      try await send()
      try await send()
      try await scratch.shell(
        "curl -sH \"$AUTH\" -d '{\"decision\":\"approve\"}' $HUB/v1/approval-gates/g1/decision")
      try await send()
      try await scratch.shell(
        "curl -sH \"$AUTH\" -d '{\"type\":\"log\",\"ts\":2,\"agentId\":\"a\",\"level\":\"error\",\"message\":\"x\"}' $HUB/v1/events"
      )
      // What the hub tells of gates by itself it has told once it knows of the error.
      var incidents = "0"
      while incidents == "0" {
        incidents = try await scratch.shell(
          "curl -sH \"$AUTH\" $HUB/v1/incidents | jq '.incidents | length'"
        ).output.trimmingCharacters(in: .newlines)
      }
      let told = try await scratch.shell(
        "curl -sH \"$AUTH\" \"$HUB/v1/events?include=approvals\" | jq -c '.events[] | [.status, .revision, .srcId]'"
      )
      #expect(
        told.output == """
          ["pending",1,"gate:g1:1"]
          ["approved",2,"gate:g1:2"]

          """)
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }

  @Test(.enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `what is open to a device ends when it is shut out`() async throws {
    try await Self.withHub { scratch, hub in
      scratch.set("OTHER", scratch.path("other"))
      let code = try await scratch.shell("hub-serve register-code | jq -r .code")
      scratch.set("CODE", code.output.trimmingCharacters(in: .newlines))
      // The public key of RFC 8032, 7.1, test 1.
      let grant = try await scratch.shell(
        "curl -sd '{\"code\":\"'$CODE'\",\"deviceName\":\"phone\",\"devicePublicKey\":\"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\"}' $HUB/v1/auth/device/register | jq -r .accessToken"
      )
      scratch.set("SUBSCRIPTION", #"{"type":"subscribe"}"#)
      let read =
        "exec $PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\""
      let own = try scratch.running(read)
      try await scratch.until("the operator reads") { own.errors.contains("subscribed") }
      scratch.set("TOKEN", grant.output.trimmingCharacters(in: .newlines))
      let socket = try scratch.running(read)
      let feed = try scratch.running(
        "exec curl -sNH \"Authorization: Bearer $TOKEN\" $HUB/v1/stream")
      try await scratch.until("the device reads") {
        socket.errors.contains("subscribed") && feed.output.hasPrefix(":")
      }
      #expect(try await scratch.shell("hub-serve revoke phone | jq .revoked").output == "true\n")
      let (closed, ended) = (await socket.ended(), await feed.ended())
      #expect(closed.errors.contains("closed 4403"))
      #expect(closed.records("error").map { $0["code"] } == ["DeviceRevoked"])
      #expect(ended.output.contains(#""code":"DeviceRevoked""#))
      _ = try await Self.send(scratch, 1, 1)
      try await scratch.until("the operator goes on") { own.output.contains(#""message":"1""#) }
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }

  @Test func `ids that have commas are asked for`() async throws {
    try await Self.withHub { scratch, hub in
      try scratch.write(
        "work/events.ndjson",
        ["a,b", "c", "d", "a"].map {
          #"{"type":"log","ts":1,"agentId":"\#($0)","level":"info","message":"m"}"# + "\n"
        }.joined())
      try await scratch.shell("curl -sH \"$AUTH\" --data-binary @events.ndjson $HUB/v1/events")
      func ids(_ query: String) async throws -> String {
        try await scratch.shell(
          "curl -sH \"$AUTH\" \"$HUB/v1/events?\(query)\" | jq -c '[.events[].agentId]'"
        ).output
      }
      let found = [
        try await ids("agentIds=a%2Cb"), try await ids("agentIds=a,c"),
        try await ids("agentIds=a%2Cb&agentIds=c"), try await ids("agentIds=a%2cb,d"),
      ]
      #expect(
        found.joined() == """
          ["a,b"]
          ["c","a"]
          ["a,b","c"]
          ["a,b","d"]

          """)
      let told = try await scratch.shell(
        "stream-tail --hub $HUB --agent 'a,b' --agent d | jq -r .agentId")
      #expect(told.output == "a,b\nd\n")
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }
}
