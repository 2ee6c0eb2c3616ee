import Foundation
import TestSupport
import Testing

/// Requests that reach a hub by another way than the one that its devices were let in by.
@Suite("attacks on a hub")
struct HubAttackTests {
  /// Opens a code as the operator, and pairs another home with it at a URL, as `mac`.
  private static func pair(_ scratch: Scratch, at url: String) async throws {
    try await scratch.shell("mkdir -p study && chat-send --project ./study 'what is a WAL?'")
    let run = try await scratch.shell(
      "curl -s -X POST $HUB/companion/pairing/start | jq -r .code")
    scratch.set("AGENTPIPES_HOME", scratch.path("other"))
    let code = run.output.trimmingCharacters(in: .newlines)
    let paired = try await scratch.shell("pair complete \(url) --code \(code) --name mac")
    #expect(paired.statuses == [0], "\(paired.errors)")
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `what is signed for another port is refused, and names what admits a tunnel`(host: String)
    async throws
  {
    try await Scratch.withHub { scratch, hub in
      let relay = try await scratch.serveProxy(to: scratch.hubPort)
      try await Self.pair(scratch, at: "http://\(host):\(relay.port)")
      let read = try await scratch.shell("chat-log list --host mac")
      #expect(read.statuses == [77])
      #expect(
        read.errors.contains(
          "the request is signed for '127.0.0.1:\(relay.port)' but reached"
            + " '127.0.0.1:\(scratch.hubPort)': if a tunnel or proxy leads here, set"
            + " 'public_url = \"http://127.0.0.1:\(relay.port)\"' under [serve] in config.toml"),
        "\(read.errors)")
    }
  }

  @Test func `what is signed for one loopback address is refused on another one`() async throws {
    try await Scratch.with { scratch in
      let port = SSHHost.freePort()
      let hub = try scratch.starting("hub-serve", "--listen", "[::1]:\(port)", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      scratch.set("HUB", "http://[::1]:\(port)")
      try await Self.pair(scratch, at: "http://localhost:\(port)")
      let direct = try await scratch.shell("chat-log list --host mac | jq -r .title")
      #expect(direct.output == "what is a WAL?\n", "\(direct.errors)")
      _ = try await scratch.serveProxy(to: port, "--host", "::1", "--port", "\(port)")
      let relayed = try await scratch.shell("chat-log list --host mac")
      #expect(relayed.statuses == [77])
      #expect(relayed.output == "" || !relayed.output.contains("WAL"))
      #expect(
        relayed.errors.contains(
          "the request is signed for '127.0.0.1:\(port)' but reached '::1:\(port)'"),
        "\(relayed.errors)")
    }
  }

  @Test func `a second hub on a store is refused, and while the first one ends, too`() async throws
  {
    try await Scratch.withHub { scratch, hub in
      let second = try await scratch.shell("hub-serve --listen 127.0.0.1:0")
      #expect(second.statuses == [75])
      #expect(second.records("error").first?["code"] == "Busy")
      #expect(
        second.errors
          == "hub-serve: another hub uses '\(scratch.path("home"))/data'; stop it, or"
          + " set AGENTPIPES_HOME to another folder\n")
      // A WebSocket that is never closed by its peer does not hold up the end.
      try scratch.write(
        "work/silent.py",
        """
        import os, socket, time
        hub = socket.create_connection(("127.0.0.1", \(scratch.hubPort)))
        lines = ["GET /v1/stream HTTP/1.1", "Host: 127.0.0.1", "Connection: Upgrade",
          "Upgrade: websocket", "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", os.environ["AUTH"], "", ""]
        hub.sendall("\\r\\n".join(lines).encode())
        print(hub.recv(99).split()[1].decode(), flush=True)
        time.sleep(600)
        """)
      let socket = try scratch.running("exec python3 silent.py", input: nil)
      try await scratch.until("it is open") { socket.output == "101\n" }
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
      #expect(!socket.child.hasEnded)
      let third = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { third.errors.contains("listening on ") }
    }
  }

  @Test func `a gate that a device opened ends with the device`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.shell(
        """
        CODE=$(hub-serve register-code --name phone | jq -r .code); \
        printf 'Authorization: Bearer %s' $(curl -sd \
        '{"code":"'$CODE'","deviceName":"x","devicePublicKey":"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}' \
        $HUB/v1/auth/device/register | jq -r .accessToken) >token; \
        curl -s -H @token -d '{"summary":"Go on?"}' \
        $HUB/v1/approval-gates; \
        curl -s -H @token --data-binary \
        '{"type":"approvalGate","ts":1,"gateId":"sent","revision":1,"summary":"And on?","status":"pending","requestedAt":"2026-02-25T10:00:00Z"}' \
        $HUB/v1/events
        """)
      let ask = "gate-decide list | jq -r .summary"
      #expect(
        Set(try await scratch.shell(ask).output.split(separator: "\n")) == ["Go on?", "And on?"])
      try await scratch.shell("hub-serve revoke phone")
      #expect(try await scratch.shell(ask).output == "")
    }
  }

  @Test func `a tunnel that public_url names is admitted`() async throws {
    try await Scratch.with { scratch in
      let port = SSHHost.freePort()
      let relay = try await scratch.serveProxy(to: port)
      try scratch.write(
        "home/config/config.toml", "[serve]\npublic_url = \"http://localhost:\(relay.port)\"\n")
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:\(port)", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      scratch.set("HUB", "http://127.0.0.1:\(port)")
      try await Self.pair(scratch, at: "http://localhost:\(relay.port)")
      let read = try await scratch.shell("chat-log list --host mac | jq -r .title")
      #expect(read.output == "what is a WAL?\n", "\(read.errors)")
    }
  }

  @Test func `a device's token neither pairs companions nor sees nor revokes them`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await Self.pair(scratch, at: scratch.environment["HUB"] ?? "")
      try await scratch.shell("pair status")
      scratch.set("AGENTPIPES_HOME", scratch.path("home"))
      let id = try await scratch.shell("hub-serve devices | jq -r .id").output
        .trimmingCharacters(in: .newlines)
      try await scratch.shell(
        """
        CODE=$(hub-serve register-code | jq -r .code); printf 'Authorization: Bearer %s' $(curl -sd \
        '{"code":"'$CODE'","deviceName":"x","devicePublicKey":"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}' \
        $HUB/v1/auth/device/register | jq -r .accessToken) >token
        """)
      #expect(
        try await scratch.shell("curl -so /dev/null -w '%{http_code}' -H @token $HUB/v1/agents")
          .output == "200")
      for request in [
        "-X POST $HUB/companion/pairing/start", "$HUB/companion/devices",
        "-X DELETE $HUB/companion/devices/\(id)",
      ] {
        let run = try await scratch.shell(
          "curl -s -H @token \(request) | jq -r .code")
        #expect(run.output == "PermissionDenied\n", "\(request)")
      }
      #expect(
        try await scratch.shell("hub-serve devices | jq -c .revoked").output == "false\nfalse\n")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may ask as another user"))
  func `another user of the machine is no device that paired unsigned over loopback`() async throws
  {
    try await Scratch.withHub { scratch, _ in
      let other = "setpriv --reuid=65534 --regid=65534 --clear-groups --"
      let json = "-H 'Content-Type: application/json'"
      try await scratch.shell("mkdir study && chat-send --project ./study 'what is a WAL?'")
      let start = try scratch.starting("pair", "start", "--ttl", "10m")
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      try scratch.write("work/said", start.output)
      try await scratch.shell(
        """
        jq -c '{pairingCode: .code, deviceName: "phone", devicePublicKey: "opaque"}' said | \
        curl -s \(json) --data @- $HUB/companion/pairing/complete
        """)
      let ended = await start.ended()
      #expect(
        ended.errors.hasSuffix(
          "pair: 'phone' has not signed a request: its address alone identifies it until it does;"
            + " after 30 days away it must pair again\n"), "\(ended.errors)")
      let ask = "curl -s $HUB/companion/projects | jq -c '[.ok, .code, .kind]'"
      #expect(try await scratch.shell(ask).output == "[true,null,null]\n")
      #expect(
        try await scratch.shell("\(other) \(ask)").output
          == "[false,\"AuthExpired\",\"unsigned\"]\n")
    }
  }

  @Test func `a hub speaks TLS 1.2 and newer, and refuses a key that others may read`() async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem \
        -out chain.pem -days 2 -subj /CN=hub 2>/dev/null; chmod 644 key.pem
        """)
      let serve = "hub-serve --listen 127.0.0.1:0 --tls-certificate chain.pem --tls-key key.pem"
      let open = try await scratch.shell(serve)
      #expect(open.statuses == [77])
      #expect(open.records("error").first?["kind"] == "unsafeMode")
      try await scratch.shell("chmod 600 key.pem")
      let hub = try scratch.running("exec \(serve)", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let port = hub.errors.split(separator: ":").last?.trimmingCharacters(in: .newlines) ?? ""
      for (version, spoken) in [
        ("tls1", false), ("tls1_1", false), ("tls1_2", true), ("tls1_3", true),
      ] {
        let run = try await scratch.shell(
          """
          openssl s_client -connect 127.0.0.1:\(port) -\(version) -cipher DEFAULT@SECLEVEL=0 \
          </dev/null 2>/dev/null | grep -c '^Server certificate'
          """)
        #expect(run.output == (spoken ? "1\n" : "0\n"), "\(version)")
      }
    }
  }
}
