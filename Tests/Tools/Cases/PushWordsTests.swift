import Foundation
import TestSupport
import Testing

/// The words of messages, as a person reads them on a phone.
@Suite("words of alerts")
struct PushWordsTests {
  /// Runs a test with a server that takes alerts, and a `sendmail` that stores its input.
  private static func with(_ body: (Scratch, Server) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      let server = try await Server(scratch, "push_peer.py", [], log: "peer.log")
      try scratch.write("work/bin/sendmail", "#!/bin/sh\ncat >mail.new; mv mail.new mail.txt\n")
      try await scratch.shell("chmod +x bin/sendmail")
      try scratch.write(
        "home/config/config.toml",
        """
        [serve]
        page = true
        public_url = "https://hub.example/"
        [push.phone]
        kind = "ntfy"
        url = "\(server.url("/ops"))"
        allow_private = true
        per_minute = 100
        [push.chat]
        kind = "webhook"
        url = "\(server.url("/chat"))"
        allow_private = true
        signed = false
        [push.slack]
        kind = "webhook"
        url = "\(server.url("/slack"))"
        allow_private = true
        signed = false
        [push.discord]
        kind = "webhook"
        url = "\(server.url("/discord"))"
        allow_private = true
        signed = false
        [push.hook]
        kind = "webhook"
        url = "\(server.url("/hook"))"
        allow_private = true

        """)
      try await body(scratch, server)
    }
  }

  /// Changes the configuration.
  private static func change(_ text: String, to other: String, _ scratch: Scratch) throws {
    let file = "home/config/config.toml"
    try scratch.write(file, scratch.read(file).replacingOccurrences(of: text, with: other))
  }

  /// Starts push-notify for gates alone, and waits until it follows this machine's events.
  private static func following(
    _ scratch: Scratch, _ line: String, targets: Int = 1
  ) async throws -> Running {
    try await scratch.shell("agent-control threshold approvalGate all 0 >/dev/null")
    let follow = try scratch.running("exec push-notify -f \(line)", input: nil)
    try await scratch.until("it follows") {
      try scratch.output(
        of: "sqlite3 '\(scratch.path("home/data/push.db"))' 'SELECT COUNT(*) FROM pushPlace'")
        == "\(targets)\n"
    }
    return follow
  }

  @Test func `a gate is a message with its question, who asks, the command and the link`()
    async throws
  {
    try await Self.with { scratch, server in
      scratch.set("PATH", "\(scratch.path("work/bin")):\(scratch.environment["PATH"] ?? "")")
      let follow = try await Self.following(
        scratch, "--kind gate --to phone --to mail:ops@example.org", targets: 2)
      let asking = try scratch.starting("gate-decide", "ask", "git push", "--timeout", "10m")
      try await scratch.until("it is sent") {
        follow.output.split(separator: "\n").count { $0.contains(#""status":"sent""#) } == 2
      }
      let gates = try await scratch.shell("gate-decide list")
      let gate = try #require(gates.records("approvalGate").first)
      let (id, word, asker) = (gate["gateId"], gate["gateId"].suffix(8), gate["requestedBy"])
      #expect(!asker.isEmpty)
      let words = "a gate waits: git push (asked by \(asker))"
      let sent = try #require(server.requests.first)
      #expect(sent["body.title"] == "Gate \(word)")
      #expect(sent["body.message"] == "\(words)\ngate-decide approve \(word)")
      #expect(sent["body.click"] == "https://hub.example/page/gates/\(id)")
      let mail = scratch.read("work/mail.txt")
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("Date: ") && !$0.hasPrefix("Message-ID: ") }
      #expect(
        mail.joined(separator: "\n") == """
          To: ops@example.org
          Subject: Gate \(word): \(words)
          Auto-Submitted: auto-generated
          X-Priority: 3
          MIME-Version: 1.0
          Content-Type: text/plain; charset=utf-8
          Content-Transfer-Encoding: 7bit

          \(words)
          gate-decide approve \(word)
          https://hub.example/page/gates/\(id)

          """)
      // The line does what it says, and the message about it then says so.
      #expect(try await scratch.shell("gate-decide approve \(word)").statuses == [0])
      #expect(await asking.ended().statuses == [0])
      try await scratch.until("it is replaced") { server.requests.count == 2 }
      #expect(server.requests.last?["body.message"] == "approved: git push")
      #expect(server.requests.last?["body.sequence_id"] == sent["body.sequence_id"])
      follow.child.signal(SIGTERM)
      await follow.ended()
    }
  }

  @Test func `a gate of a run says the run's goal, which is stored only with the run`() async throws
  {
    try await Self.with { scratch, server in
      // The same word is a kind in a table and in an option.
      try Self.change(
        "kind = \"ntfy\"", to: "kind = \"ntfy\"\nkey = \"token\"\nkinds = [\"gate\"]", scratch)
      let secret = "sesame-4815-1623"
      let key = try await scratch.shell("key-store set token >/dev/null", input: secret)
      try #require(key.statuses == [0])
      let follow = try await Self.following(scratch, "--to phone")
      try scratch.write("work/page", Plan.page)
      let goal = "Zanzibar quokka:\n\(secret) \(String(repeating: "x", count: 300))"
      let run = try await scratch.shell(
        "ceo-plan --model extractive \"$(cat)\" | cat - page | stage-run", input: goal)
      let gate = try #require(run.records("approvalGate").first, "\(run.errors)")
      let word = gate["gateId"].suffix(8)
      try await scratch.until("it is sent") { follow.output.contains(#""status":"sent""#) }
      let said = "Zanzibar quokka: [redacted] " + String(repeating: "x", count: 172)
      let agent = gate["agentId"].suffix(8)
      let swarm = gate["pipelineId"].suffix(8)
      #expect(
        server.requests.map { $0["body.message"] } == [
          """
          a gate waits: \(gate["summary"]) (asked by stage-run). Goal: \(said)… and 128 more characters
          agent \(agent), swarm \(swarm)
          gate-decide approve \(word)
          """
        ])
      let logged = try scratch.output(
        of: """
          for name in push events; do sqlite3 '\(scratch.path("home/data"))'/$name.db .dump; done
          sqlite3 '\(scratch.path("home/data"))/store.db' 'SELECT * FROM gate; SELECT * FROM watched'
          """)
      #expect(logged.contains(gate["gateId"]) && !logged.lowercased().contains("quokka"))
      #expect(!follow.output.contains("quokka") && !follow.errors.contains("quokka"))
      // A gate that another machine's run waits for has no goal here.
      let other =
        #"{"type":"alert","ts":1,"kind":"approvalGate","severity":"warn","gateId":"g1","#
        + #""agentId":"lint","summary":"a gate waits: Deploy?"}"#
      try await scratch.shell("push-notify --to phone", input: other)
      #expect(
        server.requests.last?["body.message"]
          == "a gate waits: Deploy?\nagent lint\ngate-decide approve g1")
      follow.child.signal(SIGTERM)
      await follow.ended()
    }
  }

  @Test func `the line to paste names the hub, but not on the hub's own machine`() async throws {
    try await Scratch.withHub { scratch, _ in
      let server = try await Server(scratch, "push_peer.py", [], log: "peer.log")
      let hub = try #require(scratch.environment["HUB"])
      let threshold = "agent-control threshold approvalGate all"
      try await scratch.shell("\(threshold) 999 >/dev/null")
      let line = "--hub \(hub) --kind gate --allow-private --to ntfy:"
      let own = try await Self.follow(hub: hub, scratch, "home", line + server.url("/own"))
      try await scratch.leaveForAnotherMachine()
      let other = try await Self.follow(hub: hub, scratch, "other", line + server.url("/other"))
      let home = scratch.path("home")
      try await scratch.shell("AGENTPIPES_HOME=\(home) \(threshold) 0 >/dev/null")
      let asking = try scratch.running(
        "exec gate-decide ask 'git push' --hub \(hub) --timeout 10m", input: nil)
      try await scratch.until("it is sent") { server.requests.count == 2 }
      let gate = try #require(Record.all(in: asking.output).first)
      let word = gate["gateId"].suffix(8)
      let lines = Dictionary(
        uniqueKeysWithValues: server.requests.map {
          ($0["body.topic"], $0["body.message"].split(separator: "\n").last.map(String.init))
        })
      #expect(
        lines == [
          "own": "gate-decide approve \(word)",
          "other": "gate-decide approve \(word) --hub \(hub)",
        ])
      // Each works where it is pasted.
      let paste = try #require(lines["other"] ?? nil)
      #expect(try await scratch.shell(paste).statuses == [0])
      #expect(await asking.ended().statuses == [0])
      for follow in [own, other] {
        follow.child.signal(SIGTERM)
        await follow.ended()
      }
    }
  }

  /// Starts push-notify for a hub on the machine with the given home, and waits until it follows.
  private static func follow(
    hub: String, _ scratch: Scratch, _ home: String, _ line: String
  ) async throws -> Running {
    let follow = try scratch.running("exec push-notify -f \(line)", input: nil)
    // It begins with new events, so there must be one: a gate that is over before it is an alert.
    try await scratch.until("it follows") {
      try scratch.output(
        of: """
          gate-decide ask x --hub \(hub) --timeout 0.1s >/dev/null 2>&1
          sqlite3 '\(scratch.path("\(home)/data/push.db"))' 'SELECT COUNT(*) FROM pushPlace'
          """) == "1\n"
    }
    return follow
  }

  @Test(arguments: ["Größe", "=?utf-8?Q?x?=", String(repeating: "x", count: 999)])
  func `a mail that is not plain is encoded`(_ summary: String) async throws {
    try await Self.with { scratch, _ in
      let alert =
        #"{"type":"alert","ts":1,"kind":"incident","severity":"error","summary":"\#(summary)"}"#
      try await scratch.shell("PATH=$PWD/bin:$PATH push-notify --to mail:a@b.example", input: alert)
      let shown = try await scratch.shell(
        """
        python3 -c 'import email, email.policy, sys
        m = email.message_from_file(open("mail.txt"), policy=email.policy.default)
        print(m["subject"]); print(m["content-transfer-encoding"]); print(m.get_content(), end="")'
        """)
      let encoding = summary.hasPrefix("=?") ? "7bit" : "base64"
      #expect(shown.output == "Incident: \(summary.prefix(100))\n\(encoding)\n\(summary)\n")
    }
  }

  @Test func `alerts that name nothing by an id never replace each other`() async throws {
    try await Self.with { scratch, server in
      let bare = #"{"type":"alert","ts":1,"kind":"incident","severity":"error","summary":"x"}"#
      let lines =
        [bare, bare]
        + ["critical", "error", "error"].enumerated().map { number, severity in
          #"{"type":"alert","ts":1,"kind":"incident","severity":"\#(severity)","agentId":"lint","#
            + #""summary":"\#(number)","srcId":"s\#(number)"}"#
        }
      let run = try await scratch.shell(
        "push-notify --to phone", input: lines.joined(separator: "\n"))
      #expect(run.statuses == [0])
      #expect(server.requests.count == 5)
      #expect(Set(server.requests.map { $0["body.sequence_id"] }).count == 5)
    }
  }

  @Test func `a webhook is unsigned if its table says so, with the words for chats`() async throws {
    try await Self.with { scratch, server in
      let alert =
        #"{"type":"alert","ts":1,"kind":"incident","severity":"error","srcId":"s","#
        + #""summary":"<!channel> & @everyone","text":"own"}"#
      #expect(try await scratch.shell("push-notify --to chat", input: alert).statuses == [0])
      let sent = try #require(server.requests.first)
      #expect(sent["fields.webhook-signature"].isEmpty && sent["fields.webhook-id"].isEmpty)
      #expect(sent["body.summary"] == "<!channel> & @everyone")
      #expect(sent["body.text"] == "Incident\n&lt;!channel&gt; &amp; @everyone")
      #expect(sent["body.content"] == "Incident\n```\n<!channel> & @everyone\n```")
      let mentions = (sent.fields["body"] as? [String: Any])?["allowed_mentions"]
      #expect(mentions as? [String: [String]] == ["parse": []])
      // Without the setting, a secret is needed.
      let signed = try await scratch.shell("push-notify --to hook", input: alert)
      #expect(signed.statuses == [77])
      #expect(
        signed.errors.contains("key-store set push-webhook, or set 'signed = false' in its table"))
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [
    String(repeating: "e\\u0301\\u0302", count: 1000), "rm *.a *.b ````` _x_ ||y||", "",
  ])
  func `Slack and Discord take a message, and show its words as they are`(summary: String)
    async throws
  {
    try await Self.with { scratch, server in
      let link = "https://hub.example/" + String(repeating: "y", count: 1970)
      let alert =
        #"{"type":"alert","ts":1,"kind":"incident","severity":"error","srcId":"s","#
        + #""summary":"\#(summary)","webUrl":"\#(link)","username":"root","#
        + #""blocks":[{"type":"section"}],"embeds":[{"title":"approve"}],"tts":true}"#
      let run = try await scratch.shell("push-notify --to slack --to discord", input: alert)
      #expect(run.statuses == [0], "\(run.errors)")
      let bodies = server.requests.compactMap { $0.fields["body"] as? [String: Any] }
      #expect(bodies.count == 2)
      for body in bodies {
        #expect(
          Set(body.keys) == [
            "allowed_mentions", "content", "kind", "mrkdwn", "severity", "srcId", "summary", "text",
            "ts", "type", "unfurl_links", "unfurl_media", "webUrl",
          ])
        #expect(body["mrkdwn"] as? Bool == false)
        let words = body["summary"] as? String ?? ""
        let rest = words.unicodeScalars.count - 1000
        let shown =
          rest > 0
          ? String(String.UnicodeScalarView(words.unicodeScalars.prefix(1000)))
            + "… and \(rest) more characters" : words
        #expect(body["text"] as? String == "Incident\n\(shown)\n\(link)")
        #expect(
          (body["content"] as? String)?.replacing("\u{200B}", with: "")
            == "Incident\n```\n\(shown)\n```")
      }
    }
  }
}
