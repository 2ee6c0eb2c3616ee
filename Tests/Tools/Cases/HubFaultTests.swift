import Foundation
import TestSupport
import Testing

/// A hub whose files fail it.
@Suite("hub-serve, faults")
struct HubFaultTests {
  /// A socket that waits for what comes, as `stream_reader.py` reads it.
  private static func reader(_ scratch: Scratch) async throws -> Running {
    scratch.set("SUBSCRIPTION", #"{"type":"subscribe"}"#)
    let socket = try scratch.running(
      "exec $PYTHON $READER \"ws${HUB#http}/v1/stream?protocol=1\" \"$TOKEN\" \"$SUBSCRIPTION\"")
    try await scratch.until("the socket reads") { socket.errors.contains("subscribed") }
    return socket
  }

  @Test(
    SmallDisk.isThere,
    .enabled(if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with websockets"))
  func `on a full disk nothing is acknowledged that is not kept, and readers stay`() async throws {
    try await SmallDisk.with { scratch, home in
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let url = hub.errors.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }
      scratch.set("HUB", String(url ?? ""))
      let token = try String(contentsOfFile: home + "/data/hub.token", encoding: .utf8)
        .trimmingCharacters(in: .newlines)
      scratch.set("TOKEN", token)
      scratch.set("AUTH", "Authorization: Bearer \(token)")
      scratch.set("PYTHON", Places.python)
      scratch.set("READER", "\(Places.tests)/Support/Servers/stream_reader.py")
      func ask(_ path: String, _ body: String? = nil) async throws -> String {
        let data = body.map { "--data-binary '\($0)'" } ?? ""
        let run = try await scratch.shell(
          "curl -sH \"$AUTH\" \(data) -w '%{http_code} %header{retry-after}' \"$HUB\(path)\" | jq -rs 'map(if type == \"object\" then (.code // .status // .outcome // .accepted) else . end) | map(tostring) | join(\" \")'"
        )
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let log =
        #"{"type":"log","ts":1,"agentId":"a","level":"info","message":"\#(String(repeating: "x", count: 3000))"}"#
      // More than what the log has room for in the space that it has already.
      try scratch.write(
        "work/many.ndjson", String(repeating: log + "\n", count: 60))
      let socket = try await Self.reader(scratch)
      let opened = try await scratch.shell(
        "curl -sH \"$AUTH\" -d '{\"summary\":\"Deploy?\"}' $HUB/v1/approval-gates | jq -r .gateId")
      let gate = opened.output.trimmingCharacters(in: .newlines)
      #expect(try await ask("/v1/events", log) == "1 200")
      try await scratch.until("it is read") { socket.output.contains("xxx") }

      // What head(1) cannot write any more is what this is about.
      try await scratch.shell("head -c 3000000 /dev/zero >\(home)/filler")
      let decision = #"{"decision":"approve","requestId":"r1"}"#
      #expect(try await ask("/v1/events", "@many.ndjson") == "StorageFailed 503 5")
      #expect(try await ask("/health") == "StorageFailed 503")
      #expect(
        try await ask("/v1/approval-gates/\(gate)/decision", decision) == "StorageFailed 503 5")
      #expect(try await ask("/v1/overview").hasSuffix("200"))

      try FileManager.default.removeItem(atPath: home + "/filler")
      #expect(try await ask("/v1/events", log) == "1 200")
      #expect(try await ask("/health") == "ok 200")
      #expect(
        try await ask("/v1/approval-gates/\(gate)/decision", decision) == "approved 200")
      try await scratch.until("the same socket reads on") {
        Record.all(in: socket.output).contains { $0["status"] == "approved" }
      }
      let records = Record.all(in: socket.output).filter { $0.type != "alert" }
      #expect(records.map(\.type) == ["approvalGate", "log", "log", "approvalGate"])
      let audit = try await scratch.shell(
        "curl -sH \"$AUTH\" $HUB/v1/audit | jq -c '[.audit[] | [.action, .outcome, .replayed]]'")
      #expect(audit.output == "[[\"approve\",\"approved\",false]]\n")
      socket.child.signal(SIGTERM)
      _ = await socket.ended()
    }
  }

  @Test func `a browser is told what a hub is, and runs nothing`() async throws {
    try await Scratch.withHub { scratch, _ in
      let page = try await scratch.shell("curl -si -H 'Accept: text/html,*/*;q=0.8' $HUB/")
      #expect(page.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(page.output.contains("<h1>This is an agentpipes hub</h1>"))
      #expect(page.output.contains("Content-Security-Policy: default-src 'none';"))
      #expect(!page.output.contains("<script"))
      for request in ["$HUB/", "-X POST -H 'Accept: text/html' $HUB/", "-H 'Host: x' $HUB/"] {
        let other = try await scratch.shell("curl -s \(request) | jq -r .code")
        #expect(other.output == (request.contains("Host") ? "BadInput\n" : "NotFound\n"))
      }
    }
  }
}
