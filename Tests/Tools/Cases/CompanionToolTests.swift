import Foundation
import TestSupport
import Testing

/// Tools in the chats of companions.
@Suite("companions and tools")
struct CompanionToolTests {
  private static let script = #"""
    [{"text":"Hello."},
     {"text":"","calls":[{"id":"c1","name":"t__echo","arguments":"{\"word\":\"tide\"}"},
       {"id":"c2","name":"t__hang","arguments":"{}"},
       {"id":"c3","name":"run_in_terminal","arguments":"{\"command\":\"id\"}"}]},
     {"text":"Done."},{"text":"Alone."}]
    """#

  private static func configure(_ scratch: Scratch) throws {
    let list = try scratch.write(
      "given/tools.json",
      #"[{"name":"echo","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}}]"#
    )
    try scratch.write(
      "home/config/config.toml",
      scratch.read("home/config/config.toml") + """
        [serve]
        tools = ["mcp:t/echo", "no-such-tool"]
        [mcp.t]
        command = ["python3", "\(Places.tests)/Support/Servers/tool_server.py", "\(list)",
          "--log", "\(scratch.path("tools.log"))"]

        """)
  }

  /// Continues the only chat, and returns the last frame before the end.
  private func goOn(_ scratch: Scratch, _ body: String) async throws -> String {
    try scratch.write("work/asked", body)
    let run = try await scratch.shell(
      "curl -sN -H 'Content-Type: application/json' --data @asked"
        + " $HUB/companion/chats/$(chat-log list | jq -r .id)/continue"
        + " | sed -n 's/^data: {/{/p' | tail -n 1 | jq -r '.text // .'")
    return run.output
  }

  @Test func `a model calls what the companion asks for and the configuration names, and no more`()
    async throws
  {
    var models: Server?
    try await Scratch.withHub {
      models = try await $0.serveWires(Self.script)
      try Self.configure($0)
    } _: { scratch, _ in
      try await scratch.shell(
        "mkdir study && chat-send --project ./study hi --model claude-sonnet-4-6")
      let paired = try await scratch.shell(
        """
        curl -s -X POST $HUB/companion/pairing/start | jq '.qrPayload | fromjson | {pairingCode: .code, \
        pairingToken: .token, deviceName: "phone", devicePublicKey: "key"}' \
        | curl -s -H 'Content-Type: application/json' --data @- $HUB/companion/pairing/complete | jq .connected
        """)
      try #require(paired.output == "true\n")

      let asked = #"{"prompt":"look","allowedTools":["mcp:t/*","run_in_terminal"]}"#
      #expect(try await goOn(scratch, asked) == "Done.\n")
      let requests = try #require(models?.requests)
      #expect(requests.count == 3)
      let offered = try #require(Record.all(in: requests[1]["body"]).first).list("tools")
      #expect(offered.map { $0["name"] } == ["t__echo"])
      let results = try await scratch.keptTurns().flatMap { $0.list("toolResults") }
      #expect(results.map { $0["id"] } == ["c1", "c2", "c3"])
      #expect(results.map { $0["consent"] } == ["configuration", "", ""])
      #expect(results.map { $0["error.code"] } == ["", "NotFound", "NotFound"])
      let log = Record.all(in: scratch.read("tools.log"))
      #expect(log.filter { $0.type == "called" }.map { $0["arguments.word"] } == ["tide"])
      for started in log where started.type == "started" {
        let process = pid_t(started.number("process") ?? 0)
        try await scratch.until("the server has ended") { kill(process, 0) != 0 }
      }

      #expect(try await goOn(scratch, #"{"prompt":"and alone?"}"#) == "Alone.\n")
      // The tools of earlier turns are declared, since the history has their calls.
      let body = try #require(models?.requests.last)["body"]
      let last = try #require(Record.all(in: body).first)
      #expect(last.list("tools").allSatisfy { $0["description"] == "Not available now." })
    }
  }
}
