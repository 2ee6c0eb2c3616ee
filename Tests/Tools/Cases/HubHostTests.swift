import Foundation
import TestSupport
import Testing

/// Events at a hub that name their machine, and the tables that show it.
@Suite("hosts of events")
struct HubHostTests {
  /// Events of a machine that calls itself `host`.
  private static func events(of agent: String, in swarm: String, on host: String) -> String {
    let members = #""agentId":"\#(agent)","host":"\#(host)""#
    return """
      {"type":"traceEvent","ts":1735300001000,\(members),"swarmId":"\(swarm)","spanId":"eee19b7ec3c1b174","phase":"start","name":"invoke_agent","attrs":{"agentpipes.task":"pack"}}
      {"type":"log","ts":1735300002000,\(members),"swarmId":"\(swarm)","level":"warn","message":"no socks"}
      {"type":"metric","ts":1735300003000,\(members),"scope":"agent","name":"bags","value":2}

      """
  }

  private static func gate(of agent: String, on host: String) -> String {
    #"{"type":"approvalGate","ts":1735300004000,"gateId":"gate-of-\#(agent)","agentId":"\#(agent)","host":"\#(host)","revision":1,"status":"pending","summary":"Go barefoot?","requestedAt":"2024-12-27T11:46:44.000Z"}"#
  }

  /// An event that names no machine, and events that name none that there can be.
  private static let others = [
    #"{"type":"log","ts":1735300005000,"agentId":"bare","level":"info","message":"from curl"}"#,
    #"{"type":"log","ts":1735300006000,"agentId":"bad","host":"\u001b[2J","level":"info","message":"x"}"#,
    #"{"type":"log","ts":1735300006000,"agentId":"bad","host":"","level":"info","message":"x"}"#,
    #"{"type":"log","ts":1735300006000,"agentId":"bad","host":"\#(String(repeating: "h", count: 65))","level":"info","message":"x"}"#,
    #"{"type":"metric","ts":1735300006000,"agentId":"bad","host":"a b","scope":"agent","name":"n","value":1}"#,
    #"{"type":"log","ts":1735300006000,"agentId":"bad","host":7,"level":"info","message":"x"}"#,
  ].joined(separator: "\n")

  private func post(_ lines: String, _ scratch: Scratch) throws {
    let file = try scratch.write("work/events.ndjson", lines)
    let answer = try scratch.output(
      of: "curl -sH \"$AUTH\" --data-binary @'\(file)' $HUB/v1/events | jq -c .rejected")
    #expect(answer == "[]\n")
  }

  @Test func `tables name machines if there are several`() async throws {
    try await Scratch.withHub { scratch, _ in
      func show() async throws {
        for line in [
          "agent-stat agents --text", "agent-stat swarms --text", "gate-decide list --text",
          "stream-tail --type traceEvent --type log --type metric --text",
          "agent-stat agents --hub $HUB --json", "agent-stat swarms --json",
          "gate-decide list --hub $HUB --json",
        ] { try await scratch.shell(line) }
      }
      try post(Self.events(of: "far", in: "trip", on: "laptop"), scratch)
      try post(Self.gate(of: "far", on: "laptop"), scratch)
      try await show()
      try post(Self.events(of: "high", in: "climb", on: "tower"), scratch)
      try post(Self.gate(of: "high", on: "tower"), scratch)
      try await show()
      try scratch.expectGolden("hub-serve/hosts")
    }
  }

  @Test func `a tool names its machine, and what the hub's machine logs has no name`() async throws
  {
    try await HubPlace.with { place, _ in
      let scratch = place.scratch
      let own = try scratch.output(of: "uname -n").trimmingCharacters(in: .newlines)
      let token = scratch.read("home/data/hub.token").trimmingCharacters(in: .newlines)
      scratch.set("AUTH", "Authorization: Bearer \(token)")
      try post(Self.events(of: "far", in: "trip", on: "laptop"), scratch)
      // The event that the command prints is of its agent's machine.
      let printed = #"{"type":"log","level":"info","message":"printed","host":"moon"}"#
      try scratch.write("given/printed", printed)
      let away = await (try place.agent("--agent away -- echo '\(printed)'")).ended()
      #expect(away.statuses == [0])
      try await scratch.shell("agent-run --agent here -- echo '\(printed)'")
      #expect(
        try place.told("--type log --type traceEvent | jq -c '[.type, .agentId, .host]'") == """
          ["traceEvent","far","laptop"]
          ["log","far","laptop"]
          ["traceEvent","away","\(own)"]
          ["log","away","\(own)"]
          ["traceEvent","away","\(own)"]
          ["traceEvent","here",null]
          ["log","here",null]
          ["traceEvent","here",null]

          """)
      // This machine is one of them, under whichever name its events come.
      for hub in ["", "--hub $HUB"] {
        #expect(
          try scratch.output(
            of: "agent-stat agents \(hub) --text | awk '{print $1, $2, $3}' | sort")
            == "away finished \(own)\nfar running laptop\nhere finished \(own)\n")
      }
      #expect(
        try place.told("--type log --text | awk '{print $3, $4}'")
          == "far no\naway \(own)\nhere \(own)\n")
    }
  }

  @Test func `a name is plain, and an event without one stays without`() async throws {
    try await Scratch.withHub { scratch, _ in
      try scratch.write("work/events.ndjson", Self.others)
      try await scratch.shell(
        "curl -sH \"$AUTH\" --data-binary @events.ndjson $HUB/v1/events | jq 'del(.lastId)'")
      try await scratch.shell("stream-tail | jq -c '[.agentId, .host]'")
      try scratch.expectGolden("hub-serve/host-names")
    }
  }

  @Test func `the page names machines if there are several`() async throws {
    try await HubPageTests.withPage { scratch in
      try await HubPageTests.signIn(scratch)
      func page(_ path: String, _ part: String) throws -> String {
        let plain = "sed -E 's,</?span[^>]*>,,g; s/ +/ /g'"
        return try scratch.output(
          of: "curl -sb \"$COOKIE\" $HUB/page\(path) | grep -oE '\(part)' | \(plain)")
      }
      let own = try scratch.output(of: "uname -n").trimmingCharacters(in: .newlines)
      let list = "<ol class=\"events\"[^>]*>|(far|high) +<span[^>]*>(laptop|tower) "
      let live = "<ol class=\"events\" tabindex=\"0\" aria-label=\"Events\" data-host=\"\(own)\""
      try post(Self.events(of: "far", in: "trip", on: "laptop"), scratch)
      #expect(!(try page("", "<th[^>]*>host<")).contains("host"))
      #expect(try page("/live", list) == "\(live) data-hosts=\"laptop\">\n")
      try post(Self.events(of: "high", in: "climb", on: "tower"), scratch)
      try await scratch.until("both tables name both machines") {
        try page("", ">(host|laptop|tower)<").split(separator: "\n").count == 6
      }
      #expect(
        try page("/live", list)
          == "\(live) data-hosts=\"\">\n"
          + String(repeating: "far laptop \n", count: 3)
          + String(repeating: "high tower \n", count: 3))
    }
  }
}
