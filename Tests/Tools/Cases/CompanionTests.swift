import Foundation
import TestSupport
import Testing

/// Pairing with a hub: as a phone does that knows the founding document alone, and by `pair`.
@Suite("companions")
struct CompanionTests {
  /// A text that the model without a key can quote, for the standard input of what follows.
  static let text = "echo 'A WAL is a log of changes, and readers do not wait for a writer.' |"

  /// A hub that has one project with one chat of two turns.
  private static func withChats(
    _ arguments: String..., body: (Scratch, Running) async throws -> Void
  ) async throws {
    try await Scratch.withHub { scratch, hub in
      try await scratch.shell(
        "mkdir study && \(Self.text) chat-send --project ./study 'what is a WAL?' >/dev/null")
      try await body(scratch, hub)
    }
  }

  /// The code that is open now, and what its QR code says.
  private static func start(_ scratch: Scratch) async throws -> (code: String, payload: String) {
    let run = try await scratch.shell(
      "curl -s -X POST $HUB/companion/pairing/start | jq -r '.code, .qrPayload'")
    let lines = run.output.split(separator: "\n").map(String.init)
    return (try #require(lines.first), try #require(lines.last))
  }

  @Test func `a client of the founding document alone pairs, reads, goes on and is revoked`()
    async throws
  {
    try await Self.withChats { scratch, _ in
      let run = try await scratch.shell(
        "python3 \(Places.tests)/../Tests/Support/Servers/companion_client.py $HUB")
      #expect(run.statuses == [0], "\(run.output)\(run.errors)")
      #expect(!run.output.contains("FAIL"))
    }
  }

  @Test func `the smoke test passes, with chats and without`() async throws {
    for prepare in ["true", "mkdir study && chat-send --project ./study hello >/dev/null"] {
      try await Scratch.withHub { scratch, _ in
        try await scratch.shell(prepare)
        let run = try await scratch.shell(
          "\(Places.tests)/../scripts/companion_validation_smoke.sh $HUB")
        #expect(run.statuses == [0], "\(run.output)\(run.errors)")
      }
    }
  }

  @Test func `pair is such a client, and signs`() async throws {
    try await Self.withChats { scratch, _ in
      let (code, _) = try await Self.start(scratch)
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let paired = try await scratch.shell(
        "pair complete $HUB --code \(code) --name mac --device-name laptop")
      #expect(paired.statuses == [0], "\(paired.errors)")
      #expect(
        try await scratch.shell("pair status | jq -r .connectedDevice.name").output == "laptop\n")
      #expect(
        try await scratch.shell("pair hosts | jq -c '[.name,.signs]'").output == "[\"mac\",true]\n")
      #expect(try await scratch.shell("pair devices | jq -r .name").output == "laptop\n")
      #expect(
        try await scratch.shell("chat-log projects --host mac | jq -r .name").output == "study\n")
      let shown = try await scratch.shell(
        "chat-log list --host mac --project study | chat-log show --host mac - | jq -r .role")
      #expect(shown.output == "null\nuser\nassistant\n")
      let answered = try await scratch.shell(
        "chat-send --host mac --chat $(chat-log list --host mac | jq -r .id) 'and then?' | jq -r '.role, .complete'"
      )
      #expect(answered.output == "assistant\ntrue\n")
      #expect(try await scratch.shell("pair disconnect | jq .connected").output == "false\n")
      let refused = try await scratch.shell("chat-log list --host mac")
      #expect(refused.statuses == [77])
      // Who signed once is known by nothing else.
      let unsigned = try await scratch.shell("curl -s $HUB/companion/devices | jq -r .code")
      #expect(unsigned.output == "AuthExpired\n" || unsigned.output == "null\n")
    }
  }

  @Test func `a host with another clock is asked by its clock`() async throws {
    // One after the other: two that pretend at once keep each other waiting.
    for seconds in ["+600", "-600"] { try await Self.askAnotherClock(seconds) }
  }

  private static func askAnotherClock(_ seconds: String) async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "mkdir study && \(Self.text) chat-send --project ./study 'what is a WAL?' >/dev/null")
      let hub = try scratch.running(
        """
        LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1) FAKETIME=\(seconds) \
        FAKETIME_DONT_FAKE_MONOTONIC=1 exec hub-serve --listen 127.0.0.1:0
        """, input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let url = hub.errors.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }
      scratch.set("HUB", String(url ?? ""))
      // The port of a hub that has lost its arguments.
      #expect(scratch.hubPort != 7878)
      let (code, _) = try await start(scratch)
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      try await scratch.shell("pair complete $HUB --code \(code) --name mac")
      #expect(try await scratch.shell("pair status | jq .connected").output == "true\n")
      let answered = try await scratch.shell(
        "chat-send --host mac --chat $(chat-log list --host mac | jq -r .id) 'and then?' | jq .complete"
      )
      #expect(answered.output == "true\n", "\(answered.errors)")
      let devices = try await scratch.shell(
        "AGENTPIPES_HOME=\(scratch.path("home")) pair devices --host $HUB | jq -r .auth")
      #expect(devices.output == "signed\n")
    }
  }

  @Test func `a phone that comes again with another key is not the one it was`() async throws {
    try await Self.withChats { scratch, _ in
      let ask = "curl -s -H 'Content-Type: application/json'"
      for key in ["one", "two"] {
        let (_, payload) = try await Self.start(scratch)
        try scratch.write("work/payload", payload)
        let complete = """
          jq -c '{pairingCode: .code, pairingToken: .token, deviceName: "phone", devicePublicKey: "\(key)"}' \
          payload | \(ask) --data @- $HUB/companion/pairing/complete
          """
        // One try a second is looked at.
        let paired = try await scratch.shell(
          "until \(complete) >said; jq -e .connected said; do jq -e '.code == \"RateLimited\"' said || break; done"
        )
        #expect(paired.output.hasSuffix("true\n"))
      }
      let gone = try await scratch.shell("\(ask) -X POST $HUB/companion/disconnect")
      #expect(
        gone.output == "{\"connected\":false,\"connectedDevice\":null,\"ok\":true}\n")
      let status = try await scratch.shell("\(ask) $HUB/companion/status | jq .connected")
      #expect(status.output == "false\n")
      let projects = try await scratch.shell("\(ask) $HUB/companion/projects | jq -r .code,.kind")
      #expect(projects.output == "PermissionDenied\nnotPaired\n")
    }
  }

  @Test func `what is passed on opens no code, and the operator's token does`() async throws {
    try await Scratch.withHub { scratch, _ in
      for (field, status) in [
        ("X-Forwarded-For: 192.0.2.7", "403"), ("Forwarded: for=192.0.2.7", "403"),
        ("Host: 192.168.1.20:7878", "403"), ("Host: localhost", "403"),
        ("Host: localhost:1", "403"),
        ("Host: localhost:\(scratch.hubPort)", "200"), ("$AUTH", "200"),
      ] {
        let run = try await scratch.shell(
          "curl -s -o answer -w '%{http_code}' -X POST -H \"\(field)\" $HUB/companion/pairing/start"
        )
        #expect(run.output == status, "\(field)")
      }
    }
  }

  @Test func `a hub at one address of its machine opens codes there`() async throws {
    try await Scratch.with { scratch in
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.9:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let start = try scratch.starting("pair", "start")
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      start.child.signal(SIGTERM)
      _ = await start.ended()
      for line in ["pair start --ttl 29s", "pair start --ttl 11m"] {
        #expect(try await scratch.shell(line).statuses == [64])
      }
    }
  }

  @Test func `a list's part of an id names a host's chat`() async throws {
    try await Self.withChats { scratch, _ in
      let (code, _) = try await Self.start(scratch)
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      try await scratch.shell("pair complete $HUB --code \(code) --name mac")
      try await scratch.shell("chat-log list --host mac | jq -r '.id[-8:]' >part")
      let shown = try await scratch.shell(
        "chat-log show --host mac $(cat part) | jq -r 'select(.role) | .role'")
      #expect(shown.output == "user\nassistant\n")
      let answered = try await scratch.shell(
        "chat-send --host mac --chat $(cat part) 'and then?' | jq .complete")
      #expect(answered.output == "true\n")
      let nobody = try await scratch.shell("chat-log show --host mac 00000000")
      #expect(nobody.statuses == [66])
    }
  }

  @Test func `what a picture and a pipe say pairs, and another protocol does not`() async throws {
    try await Self.withChats { scratch, _ in
      let (_, payload) = try await Self.start(scratch)
      try scratch.write("work/payload", payload)
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let piped = try await scratch.shell(
        "pair complete $HUB --payload - < payload | jq .connected")
      #expect(piped.output == "true\n", "\(piped.errors)")
      let other = try await scratch.shell(
        "jq -c '.protocol = \"v2\"' payload | pair complete $HUB --payload -")
      #expect(other.statuses.last == 76)
    }
  }

  @Test func `codes are good once, in time, and are not guessed`() async throws {
    try await Scratch.withHub { scratch, _ in
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let early = try await scratch.shell("pair complete $HUB --code 123456")
      #expect(early.statuses == [77] && early.errors.contains("no pairing code is valid"))
      let format = try await scratch.shell("pair complete $HUB --code 12345")
      #expect(format.statuses == [64])
      let nobody = try await scratch.shell("pair complete http://127.0.0.1:9 --code 123456")
      #expect(nobody.statuses == [69])
    }
  }

  @Test func `browsers, other names and other machines are refused`() async throws {
    try await Scratch.withHub { scratch, _ in
      for (field, status) in [
        ("Origin: http://evil.example", "403"), ("Origin: $HUB", "403"),
        ("Sec-Fetch-Site: same-origin", "403"), ("Host: evil.example", "421"),
        ("Content-Type: text/plain", "415"),
      ] {
        let run = try await scratch.shell(
          "curl -s -o answer -w '%{http_code}' -X POST -H \"\(field)\" --data '{}' $HUB/companion/pairing/start; jq -r .ok answer"
        )
        #expect(run.output == "\(status)false\n", "\(field)")
      }
    }
  }
}
