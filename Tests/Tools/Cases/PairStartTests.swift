import Foundation
import TestSupport
import Testing

/// What `pair start` shows, read back by a reader that shares nothing with it.
@Suite("pair start")
struct PairStartTests {
  /// The rows of a terminal that a QR code takes, without what stands beside it.
  private static func code(in rows: [String], of ink: String, margin: Int) -> [String] {
    let isInk = { (row: String) in row.contains(where: ink.contains) }
    guard let first = rows.firstIndex(where: isInk), let last = rows.lastIndex(where: isInk),
      let right = rows[first].lastIndex(where: ink.contains)
    else { return [] }
    // The pattern in the upper right corner ends where the code does.
    let width = rows[first].distance(from: rows[first].startIndex, to: right) + 1 + margin
    let light = String(repeating: " ", count: width)
    return [light] + rows[first...last].map { String($0.prefix(width)) } + [light]
  }

  @Test(arguments: [(80, 24), (110, 40)])
  func `the code is on the screen as a whole, and what can be typed beside it`(
    columns: Int, lines: Int
  ) async throws {
    try await Scratch.withHub { scratch, _ in
      try await ScreenTerminal.with(scratch, columns: columns, lines: lines) { terminal in
        try terminal.type("cd \(scratch.path("work")); pair start")
        var shown: [String] = []
        try await scratch.until("it waits") {
          shown = try terminal.shown()
          return shown.contains { $0.hasSuffix(" s left") }
        }
        let payload = try QRPicture.text(
          ofBlocks: Self.code(in: shown, of: "\u{2588}\u{2580}\u{2584}", margin: 2))
        try scratch.write("work/payload", payload)
        let digits = try await scratch.shell("jq -r .code payload").output
        #expect(shown.contains { $0.hasSuffix("  \(digits.dropLast())") })
        #expect(
          shown.contains {
            $0.hasSuffix("  hub-serve --listen 0.0.0.0:\(scratch.hubPort)")
          })
        scratch.set("AGENTPIPES_HOME", scratch.path("other"))
        try await scratch.shell("pair complete $HUB --payload - --device-name laptop <payload")
        try await scratch.until("it says who paired") {
          try terminal.shown().contains {
            $0.contains(/^ *laptop +companion +(just now|[0-9]+ (s|min) ago)/)
          }
        }
      }
    }
  }

  @Test(arguments: ["L", "M", "Q", "H"])
  func `pictures and characters of ASCII are read back`(level: String) async throws {
    try await Scratch.withHub { scratch, _ in
      try await ScreenTerminal.with(scratch, columns: 170, lines: 80) { terminal in
        try terminal.type(
          "cd \(scratch.path("work")); pair start --hub $HUB --ttl 9m --ascii --level \(level) --png code.png --print-payload --json >said"
        )
        var shown: [String] = []
        try await scratch.until("it waits") {
          shown = try terminal.shown()
          return shown.contains { $0.hasSuffix(" s left") }
        }
        let payload = try await scratch.shell("jq -r .qrPayload said").output.dropLast()
        #expect(payload.hasPrefix("{"))
        let picture = FileManager.default.contents(atPath: scratch.path("work/code.png")) ?? Data()
        #expect(try QRPicture.text(of: Array(picture)) == payload)
        let light = [String](repeating: "", count: 1)
        let rows = light + Self.code(in: shown, of: "#", margin: 4) + light
        #expect(
          try QRPicture.text(ofASCII: rows.map { $0 + ($0.count % 2 == 0 ? "" : " ") }) == payload)
      }
    }
  }

  @Test func `a terminal that is too small is told what to type`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await ScreenTerminal.with(scratch, columns: 60, lines: 20) { terminal in
        try terminal.type("cd \(scratch.path("work")); pair start --json >said")
        try await scratch.until("it waits") {
          try terminal.shown().contains { $0.hasSuffix(" s left") }
        }
        let digits = try await scratch.shell("jq -r .code said").output.dropLast()
        let shown = try terminal.shown().drop { $0 != "type" }
        #expect(
          Array(shown.prefix { !$0.hasPrefix("The QR") }) == [
            "type", "", "  \(digits)", "", "No other device can connect.",
            "Restart the hub with:", "",
            "hub-serve --listen 0.0.0.0:\(scratch.hubPort)", "",
          ])
        #expect(shown.contains { $0.hasPrefix("The QR code takes 45 columns and ") })
      }
    }
  }

  @Test func `in 40 columns a sentence breaks between words`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await ScreenTerminal.with(scratch, columns: 40, lines: 20) { terminal in
        try terminal.type("cd \(scratch.path("work")); pair start --json >said")
        try await scratch.until("it waits") {
          try terminal.shown().contains { $0.hasSuffix(" s left") }
        }
        let shown = try terminal.shown().drop { !$0.hasPrefix("The QR code") }
        #expect(shown.dropFirst().first?.hasSuffix("rows;") == true)
        #expect(shown.dropFirst(2).first == "--png writes a picture of it.")
        #expect(!shown.contains(";"))
      }
    }
  }

  @Test func `a code that another one follows is void, and says so`() async throws {
    try await Scratch.withHub { scratch, _ in
      let first = try scratch.starting("pair", "start")
      try await scratch.until("the code is there") { first.output.hasSuffix("\n") }
      let second = try scratch.starting("pair", "start")
      let run = await first.ended()
      #expect(run.endings == [.exit(1)])
      #expect(
        run.errors.hasSuffix(
          "the code is no longer valid: pairing or the hub was restarted; check the current state\n"
        )
      )
      second.child.signal(SIGTERM)
      #expect(await second.ended().endings == [.signal(SIGTERM)])
    }
  }

  @Test func `the key of a hub of its own making is vouched for by the QR code`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        """
        mkdir study && chat-send --project ./study 'what is a WAL?' >/dev/null; \
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem \
        -out chain.pem -days 2 -subj /CN=hub -addext subjectAltName=IP:127.0.0.1 2>/dev/null
        """)
      let hub = try scratch.starting(
        "hub-serve", "--listen", "127.0.0.1:0", "--auth", "strict", "--tls-certificate",
        scratch.path("work/chain.pem"), "--tls-key", scratch.path("work/key.pem"), input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let url = hub.errors.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("https") }
      scratch.set("HUB", String(url ?? ""))
      let start = try scratch.starting("pair", "start", "--ttl", "10m", "--print-payload")
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      try scratch.write("work/said", start.output)
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let unknown = try await scratch.shell("pair complete $HUB --code $(jq -r .code said)")
      #expect(unknown.statuses == [69])
      #expect(unknown.errors.contains("; set CURL_CA_BUNDLE=FILE to trust your own"))
      #expect(unknown.errors.contains(", or pair with the QR code: --qr"))
      let stranger = try await scratch.shell("pair register $HUB --code K7M4Q-2XWPT")
      #expect(stranger.errors.contains("; set CURL_CA_BUNDLE=FILE to trust your own"))
      let trusted = try await scratch.shell(
        "CURL_CA_BUNDLE=chain.pem pair register $HUB --code K7M4Q-2XWPT | jq -r .code")
      #expect(trusted.output == "PairingCodeInvalid\n")
      let wrong = try await scratch.shell(
        "jq -r .qrPayload said | jq -c '.tls = \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"' | pair complete $HUB --payload -"
      )
      #expect(wrong.statuses.last == 69)
      let right = try await scratch.shell(
        "jq -r .qrPayload said | pair complete $HUB --payload - --name mac --device-name laptop | jq .connected"
      )
      #expect(right.output == "true\n")
      let read = try await scratch.shell("chat-log list --host mac | jq -r .title")
      #expect(read.output == "what is a WAL?\n")
      // Only who signs is anybody here.
      for (method, path) in [
        ("GET", "status"), ("GET", "devices"), ("POST", "disconnect"), ("GET", "projects"),
        ("POST", "pairing/start"),
      ] {
        let run = try await scratch.shell(
          "curl -sk -X \(method) $HUB/companion/\(path) | jq -r .code,.kind")
        let isStart = path == "pairing/start"
        #expect(
          run.output == (isStart ? "PermissionDenied\nnull\n" : "AuthExpired\nunsigned\n"),
          "\(path)")
      }
      #expect(await start.ended().endings == [.exit(0)])
    }
  }

  @Test func `link-open takes what a QR code says, and asks`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.shell(
        "curl -s -X POST $HUB/companion/pairing/start | jq -r .qrPayload >payload")
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      let nowhere = try await scratch.shell("link-open - --yes <payload")
      #expect(nowhere.statuses == [64])
      #expect(
        nowhere.errors
          == "link-open: the code does not contain the host's URL; use 'pair complete URL --payload -'\n"
      )
      try await scratch.shell("jq -c --arg url $HUB '.url = $url' payload >whole")
      let unasked = try await scratch.shell("link-open - <whole")
      #expect(unasked.statuses == [77])
      let agreed = try await scratch.shell("link-open - --yes <whole | jq .connected")
      #expect(agreed.output == "true\n")
      #expect(
        agreed.errors
          == "link-open: pair this machine with the host '\(scratch.environment["HUB"] ?? "")'\n")
    }
  }
}
