import Foundation
import TestSupport
import Testing

/// Alerts for apps of Apple's systems, at a service that speaks as Apple's does.
@Suite("push-notify and Apple")
struct PushAppleTests {
  private static let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  /// Runs a test with the service, the table `[push.apple]`, and a hub at which devices with these
  /// tokens are registered; each is named by the first digit of its token.
  private static func with(
    _ digits: [String], _ body: (Scratch, Server) async throws -> Void
  ) async throws {
    guard let python = Scratch.peer("venv-push", "python") else { return }
    try await Scratch.withHub { scratch, _ in
      let server = try await Server(
        scratch, "apple_peer.py", ["--folder", scratch.path("work")], log: "apple.log",
        python: python)
      scratch.set("SSL_CERT_FILE", scratch.path("work/cert.pem"))
      try scratch.write(
        "home/config/config.toml",
        """
        [push.apple]
        kind = "apns"
        key_file = "\(scratch.path("work/key.p8"))"
        key_id = "ABC123DEFG"
        team_id = "DEF123GHIJ"
        topic = "com.example.ops"
        url = "https://localhost:\(server.port)"
        allow_private = true

        """)
      for digit in digits { try await register(scratch, digit, scope: "read") }
      try await body(scratch, server)
    }
  }

  private static func register(_ scratch: Scratch, _ digit: String, scope: String) async throws {
    let token = String(repeating: digit, count: 64)
    let body =
      #"{"deviceName":"\#(digit)","devicePublicKey":"\#(key)","pushToken":"\#(token)","code":"'$CODE'"}"#
    try await scratch.shell(
      "CODE=$(hub-serve register-code --scope \(scope) | jq -r .code); curl -s -d '\(body)' $HUB/v1/auth/device/register"
    )
  }

  @Test func `an app is told what a browser is told, over HTTP 2 with one token`() async throws {
    try await Self.with(["a", "a"]) { scratch, server in
      try await Self.register(scratch, "a", scope: "events")
      let alert =
        #"{"type":"alert","ts":1,"kind":"approvalGate","severity":"error","srcId":"s","gateId":"g1","swarmId":"ci","summary":"a secret word","webUrl":"https://hub.example/g1"}"#
      let run = try await scratch.shell(
        "push-notify --to apple | jq -c '[.status, .target[:9]]'", input: alert + "\n")
      #expect(run.output == "[\"sent\",\"device:a \"]\n[\"sent\",\"device:a \"]\n", "\(run.errors)")
      let lines = server.log("request")
      #expect(lines.count == 2 && lines.allSatisfy { $0.number("token") == 0 })
      let text = try await scratch.shell(
        "jq -c '[.claims, .fields, .body]' ../apple.log | sort -u"
      ).output
      #expect(
        text
          == #"[{"alg":"ES256","iat":"int","iss":"DEF123GHIJ","kid":"ABC123DEFG"},{":method":"POST",":path":"/3/device/\#(String(repeating: "a", count: 64))","apns-collapse-id":"\#(lines[0]["fields.apns-collapse-id"])","apns-expiration":"later","apns-priority":"10","apns-push-type":"alert","apns-topic":"com.example.ops"},{"alertId":"s","aps":{"alert":{"body":"error: swarm ci","title":"Gate g1"},"sound":"default","thread-id":"ci"},"gateId":"g1","kind":"approvalGate","swarmId":"ci","webUrl":"https://hub.example/g1"}]"#
          + "\n")
    }
  }

  @Test func `each refusal has its delivery, and a token that has ended is removed`() async throws {
    try await Self.with(["a", "b", "c", "d", "e", "f"]) { scratch, server in
      let test =
        "push-notify test --to apple | jq -c '[.target, .status, .attempts, .error.status]' | sort"
      let first = try await scratch.shell(test)
      #expect(
        first.output == """
          ["device:a","sent",1,null]
          ["device:b","failed",1,410]
          ["device:c","failed",1,400]
          ["device:d","sent",2,null]
          ["device:e","failed",3,503]
          ["device:f","sent",1,null]

          """, "\(first.errors)")
      #expect(!first.errors.contains("bbbb"))
      let left = try await scratch.shell(test)
      #expect(
        left.output.split(separator: "\n").map { $0.prefix(11) }.joined() == """
          ["device:a"["device:d"["device:e"["device:f"
          """)
      // The token that was refused is made anew, and the message sent again.
      let tokens = server.log("request").filter { $0["fields.:path"].hasSuffix("ffff") }
        .compactMap { $0.number("token") }
      #expect(tokens.count == 3 && tokens[0] != tokens[1])
      // Without a key for browsers, the devices are the apps.
      let devices = try await scratch.shell(
        "push-notify test --to devices | jq -r .target | sort | head -1")
      #expect(devices.output == "device:a\n", "\(devices.errors)")
    }
  }

  @Test func `a table is checked before anything is sent`() async throws {
    try await Scratch.with { scratch in
      for (table, words) in [
        ("", "'push.apple.key_file' is missing"),
        ("key_file = '/none'", "there is no file '/none'"),
        ("key_file = '\(scratch.path("work/k"))'", "holds no key of Apple (.p8)"),
      ] {
        try scratch.write("work/k", "no key")
        try await scratch.shell("chmod 600 k")
        try scratch.write("home/config/config.toml", "[push.apple]\nkind = 'apns'\n\(table)\n")
        let run = try await scratch.shell("push-notify test --to apple")
        #expect(run.statuses != [0] && run.errors.contains(words), "\(run.errors)")
      }
    }
  }
}
