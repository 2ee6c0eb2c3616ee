import Foundation
import TestSupport
import Testing

/// Alerts that reach people, at servers and programs of others.
@Suite("push-notify")
struct PushNotifyTests {
  private static let secret =
    "whsec_" + Data("a secret of the tests of webhooks".utf8).base64EncodedString()

  /// One alert of each kind, with text that is hostile to what shows it.
  private static let alerts = [
    ("incident", "critical", #""incidentId":"i1","agentId":"lint""#, "it broke <b>&amp;</b>"),
    (
      "approvalGate", "warn", #""gateId":"g1","swarmId":"ci""#, "a gate waits: Deploy?\\nBcc: x@y.z"
    ),
    ("contextCapacity", "warn", #""sessionId":"s1""#, "C:\\\\new \\\\074b\\\\076 is 91 % full"),
    ("redundancySpike", "info", #""sessionId":"s1""#, "half was read before"),
    ("skillFailure", "error", #""skillId":"Bash""#, "\\u001b[31mred\\u001b[0m \\u202e$(id)"),
    ("swarmDegraded", "error", #""swarmId":"ci""#, "München: größer als 20 %"),
    ("stuckAgents", "debug", #""agentId":"-x""#, "--help"),
  ].map { kind, severity, members, summary in
    #"{"type":"alert","ts":1772013600000,"kind":"\#(kind)","severity":"\#(severity)","#
      + #""srcId":"alert:\#(kind):1","#
      + #""summary":"\#(summary)","webUrl":"https://hub.example/a?b=1&c=2",\#(members)}"#
  }.joined(separator: "\n")

  /// Runs a test with receivers of alerts, and a table for each of them.
  private static func with(_ body: (Scratch, Server) async throws -> Void) async throws {
    guard let python = Scratch.peer("venv-push", "python") else { return }
    try await Scratch.with { scratch in
      let server = try await Server(
        scratch, "push_peer.py", ["--secret", secret, "--mail"], log: "peer.log", python: python)
      try scratch.write(
        "user/.msmtprc",
        """
        account default
        host 127.0.0.1
        port \(server.mailPort ?? 0)
        from agentpipes@example.org

        """)
      let hook = { (word: String) in
        """
        [push.\(word.prefix { $0 != "-" })]
        kind = "webhook"
        url = "\(server.url("/\(word)"))"
        allow_private = true

        """
      }
      try scratch.write(
        "home/config/config.toml",
        """
        [push.phone]
        kind = "ntfy"
        url = "\(server.url("/ops-7f3a"))"
        key = "push-ntfy"
        allow_private = true
        per_minute = 100
        [push.hook]
        kind = "webhook"
        url = "key:hook-url"
        allow_private = true
        per_minute = 100
        [push.post]
        kind = "mail"
        address = "ops@example.org"
        per_minute = 100
        [push.full]
        kind = "mail"
        address = "full@example.org"
        [push.nobody]
        kind = "mail"
        address = "nobody@example.org"
        [push.other]
        kind = "command"
        command = ["sh", "-c", "cat >>got.ndjson"]
        per_minute = 100
        [push.gates]
        kind = "command"
        command = ["sh", "-c", "jq -r .summary >>gates.txt"]
        kinds = ["approvalGate"]
        swarms = ["ci"]
        [push.apprise]
        kind = "command"
        command = ["sh", "-c", "jq -r .summary | \(Scratch.peer("venv-push", "apprise") ?? "") -t Alert json://127.0.0.1:\(server.port)/apprise"]

        """
          + [
            "s401", "s404-not-for-all", "s410", "s413", "s429", "s500", "s503once", "silent", "cut",
            "drop",
          ].map(hook)
          .joined())
      for (name, secret) in [
        ("push-webhook", secret), ("push-ntfy", scratch.secret),
        ("hook-url", server.url("/hidden-path-of-a-hook")),
      ] {
        let run = try await scratch.shell("key-store set \(name) >/dev/null", input: secret)
        try #require(run.statuses == [0])
      }
      try await body(scratch, server)
    }
  }

  @Test func `each kind of alert reaches each target`() async throws {
    try await Self.with { scratch, server in
      let targets = ["phone", "hook", "post", "other", "gates"].map { "--to \($0)" }
        .joined(separator: " ")
      try await scratch.shell(
        "push-notify \(targets) --min-severity debug | sort | jq -c 'del(.ts)'", input: Self.alerts)
      let log = scratch.path("peer.log")
      try await scratch.shell("jq -cS 'select(.path == \"/\").body' \(log) | sort")
      try await scratch.shell(
        "jq -cS 'select(.path == \"/hidden-path-of-a-hook\") | [.verified, .fields[\"webhook-id\"], .body]' \(log) | sort"
      )
      try await scratch.shell("jq -cS 'select(.type == \"mail\") | del(.type)' \(log) | sort")
      try await scratch.shell("sort got.ndjson; cat gates.txt")
      try scratch.expectGolden("push-notify/kinds")
      let tokens = server.requests.filter { $0["path"] == "/" }.map { $0["fields.authorization"] }
      #expect(tokens == Array(repeating: "Bearer \(scratch.secret)", count: 7))
      // The token is in no file of ours; the peer's log is not ours.
      try scratch.write("peer.log", "")
    }
  }

  @Test func `what a receiver refuses, and what may pass, is told`() async throws {
    try await Self.with { scratch, server in
      let targets = [
        "s401", "s404", "s410", "s413", "s429", "s500", "s503once", "silent", "cut", "drop", "full",
        "nobody",
      ]
      let run = try await scratch.shell(
        "push-notify \(targets.map { "--to \($0)" }.joined(separator: " ")) 2>&1 >out.ndjson | sort",
        input: String(Self.alerts.split(separator: "\n")[0]))
      #expect(run.statuses.first == 1)
      try await scratch.shell(
        "sort out.ndjson | jq -c '[.target, .status, .attempts, .error.code, .error.kind, .error.status]'"
      )
      try await scratch.shell("jq -r .path \(scratch.path("peer.log")) | sort | uniq -c")
      try scratch.expectGolden("push-notify/refused")
    }
  }

  @Test func `another program takes the alerts on`() async throws {
    try await Self.with { scratch, server in
      let run = try await scratch.shell("push-notify --to apprise", input: Self.alerts)
      #expect(run.statuses == [0])
      // Five of the seven are grave enough.
      let bodies = server.requests
      #expect(bodies.map { $0["body.title"] } == Array(repeating: "Alert", count: 5))
      #expect(bodies.contains { $0["body.message"].contains("München: größer als 20 %") })
    }
  }

  @Test func `what was in flight at a kill is sent once more with its id`() async throws {
    try await Self.with { scratch, server in
      let lines = Self.alerts.split(separator: "\n")
      // Critical alerts would be sent beside the others.
      let three = [lines[1], lines[2], lines[4]].joined(separator: "\n")
      let first = try scratch.starting("push-notify", "--to", "silent", input: three)
      try await scratch.until("it is sent") { server.requests.count == 1 }
      try await scratch.until("all are stored") {
        try scratch.output(
          of: "sqlite3 '\(scratch.path("home/data/push.db"))' 'SELECT COUNT(*) FROM push'")
          == "3\n"
      }
      first.child.signal(SIGKILL)
      await first.ended()
      let config = scratch.read("home/config/config.toml")
      try scratch.write(
        "home/config/config.toml", config.replacingOccurrences(of: "/silent\"", with: "/ok\""))
      try await scratch.shell("push-notify --to silent | jq -c 'del(.ts)'")
      try await scratch.shell(
        "push-notify --to silent | jq -c 'del(.ts)' | sort", input: Self.alerts)
      try await scratch.shell(
        "jq -c '[.path, .verified, .fields[\"webhook-id\"]]' \(scratch.path("peer.log")) | sort")
      try scratch.expectGolden("push-notify/killed")
    }
  }

  @Test func `new alerts of this machine are sent, and after a pause those since`() async throws {
    try await Self.with { scratch, server in
      try await scratch.shell("agent-control threshold approvalGate all 0 >/dev/null")
      let ask = { (text: String) in
        try scratch.starting("gate-decide", "ask", text, "--timeout", "10m")
      }
      let old = try ask("Too early?")
      try await scratch.until("it is an alert") {
        try scratch.output(of: "agent-stat overview >/dev/null; stream-tail --type alert") != ""
      }
      let first = try scratch.starting("push-notify", "--follow", "--to", "hook", input: nil)
      let place = "SELECT COUNT(*) FROM pushPlace"
      try await scratch.until("it follows") {
        try scratch.output(of: "sqlite3 '\(scratch.path("home/data/push.db"))' '\(place)'")
          == "1\n"
      }
      let second = try ask("Go on?")
      try await scratch.until("it is sent") { first.output.contains(#""status":"sent""#) }
      first.child.signal(SIGTERM)
      #expect(await first.ended().endings == [.signal(SIGTERM)])
      let third = try ask("And then?")
      try await scratch.until("it is an alert too") {
        try scratch.output(of: "agent-stat overview >/dev/null; stream-tail --type alert")
          .contains("And then?")
      }
      let again = try scratch.starting("push-notify", "--follow", "--to", "hook", input: nil)
      try await scratch.until("it is sent too") { again.output.contains(#""status":"sent""#) }
      again.child.signal(SIGINT)
      await again.ended()
      let summaries = try scratch.output(
        of: "jq -r '[.verified, .body.summary] | @tsv' \(scratch.path("peer.log"))")
      let asker = try scratch.output(of: "id -un").trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(
        summaries == """
          true\ta gate waits: Go on? (asked by \(asker))
          true\ta gate waits: And then? (asked by \(asker))

          """)
      for child in [old, second, third] {
        child.child.signal(SIGTERM)
        await child.ended()
      }
    }
  }

  @Test func `a test message is sent at once, whatever the limits`() async throws {
    try await Self.with { scratch, server in
      for _ in 1...3 {
        let run = try await scratch.shell("push-notify test --to gates --to post")
        #expect(run.statuses == [0])
        #expect(Set(run.records.map { $0["status"] }) == ["sent"])
      }
      #expect(scratch.read("work/gates.txt").split(separator: "\n").count == 3)
      #expect(server.log("mail").count == 3)
    }
  }

  @Test func `wrong targets and tables are told`() async throws {
    try await Scratch.with { scratch in
      for words in [
        "", "--to nonesuch", "--to desktop --to desktop", "--to desktop:x", "--to ntfy:nowhere",
        "--to ntfy:https://host/", "--to ftp:https://host/x", "--to webhook:https://host/x",
        "--to mail:a@b,c@d", "--to 'mail:-x@y.z'", "--to desktop --hub build",
        "test --to desktop --kind incident", "--to desktop --kind all",
        "--to ntfy:http://127.0.0.1:9/topic",
        "--to desktop --swarm other --allow-private --text",
      ] {
        try await scratch.shell(
          "push-notify \(words)",
          input: #"{"type":"alert","ts":1,"kind":"incident","severity":"error","summary":"x"}"#)
      }
      for table in [
        "kind = 'pigeon'", "url = 'x'", "kind = 'command'\ncommand = []",
        "kind = 'desktop'\nquiet = 'late'", "kind = 'desktop'\nper_minute = 0",
        "kind = 'desktop'\nkinds = ['all']", "kind = 'desktop'\nallow_private = 1",
        "kind = 'desktop'\nmin_severity = 'bad'", "kind = 'mail'",
        "kind = 'desktop'\nperminute = 3",
      ] {
        try scratch.write("home/config/config.toml", "[push.a]\n\(table)\n")
        try await scratch.shell("push-notify --to a")
      }
      try scratch.expectGolden("push-notify/wrong")
    }
  }

  @Test func `a desktop shows the text, and no markup`() async throws {
    guard Self.hasDesktop else { return }
    try await Scratch.with { scratch in
      try scratch.write(
        "given/desktop",
        """
        exec 3>display
        Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp >/dev/null 2>&1 & x=$!
        trap 'kill $x' EXIT
        until [ -s display ]; do kill -0 $x || exit 1; sleep 0.02; done
        export DISPLAY=:$(cat display)
        # The bus starts dunst for the first who asks.
        dbus-run-session -- sh -c '
          dunstctl is-paused >/dev/null
          push-notify --to desktop --min-severity debug 2>errors | jq -c "[.target, .alert, .status]" | sort
          dunstctl close-all
          dunstctl history | jq -c ".data[0][] | [.summary.data, .body.data]" | sort' 2>/dev/null
        cat errors

        """)
      try await scratch.shell(
        "bash \(scratch.path("given/desktop"))",
        input: Self.alerts.split(separator: "\n").prefix(5).joined(separator: "\n"))
      try scratch.expectGolden("push-notify/desktop")
    }
  }

  /// `true` if the programs of a desktop are there.
  private static var hasDesktop: Bool {
    ["Xvfb", "dunst", "dunstctl", "dbus-run-session", "notify-send"].allSatisfy {
      access("/usr/bin/\($0)", X_OK) == 0
    }
  }
}
