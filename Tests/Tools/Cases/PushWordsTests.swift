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
        [push.hook]
        kind = "webhook"
        url = "\(server.url("/hook"))"
        allow_private = true

        """)
      try await body(scratch, server)
    }
  }

  @Test func `a gate is a message with its question, who asks, the command and the link`()
    async throws
  {
    try await Self.with { scratch, server in
      try await scratch.shell("agent-control threshold approvalGate all 0 >/dev/null")
      let follow = try scratch.running(
        "PATH=$PWD/bin:$PATH exec push-notify -f --kind gate --to phone --to mail:ops@example.org",
        input: nil)
      try await scratch.until("it follows") {
        try scratch.output(
          of: "sqlite3 '\(scratch.path("home/data/push.db"))' 'SELECT COUNT(*) FROM pushPlace'")
          == "2\n"
      }
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
      #expect(sent["body.content"] == "Incident\n<!channel> & @everyone")
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
}
