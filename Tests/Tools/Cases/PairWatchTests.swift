import Foundation
import TestSupport
import Testing

/// A host followed, and told of to a person.
@Suite("pair and who looks at it")
struct PairWatchTests {
  private static let disconnected = "curl -s -X POST $HOST/companion/disconnect >/dev/null"

  @Test func `a status is followed until somebody ends it`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      let running = try scratch.starting("pair", "status", "--watch", server.url(""))
      for (count, change) in ["true", "", Self.disconnected, ""].enumerated() {
        if change.isEmpty {
          try await scratch.pairWithCompanion()
        } else {
          try await scratch.shell(change)
        }
        try await scratch.until("\(count + 1) states are told") {
          running.output.split(separator: "\n").count > count
        }
      }
      // Reading chats is no change, though it is seen.
      let asked = server.requests(for: "status").count
      try await scratch.shell("chat-log projects --host mac | jq -r .id")
      try await scratch.until("it asked again") {
        server.requests(for: "status").count > asked + 1
      }
      running.child.signal(SIGTERM)
      let run = await running.ended()
      #expect(run.endings == [.signal(SIGTERM)])
      #expect(run.errors == "")
      let connected = run.records("status").map { $0["connected"] }
      #expect(connected == ["0", "1", "0", "1"])
      #expect(run.records.count == 4)
    }
  }

  @Test func `a host that is away for a while is asked again`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion(
        ["--fault", "status=page500:2", "--fault", "status=drop:3", "--fault", "status=often:4"])
      let running = try scratch.starting("pair", "status", "--watch", server.url(""))
      try await scratch.until("it is asked again") { server.requests(for: "status").count > 4 }
      try await scratch.pairWithCompanion()
      try await scratch.until("the change is told") { running.output.contains("laptop") }
      running.child.signal(SIGTERM)
      let run = await running.ended()
      #expect(run.records.map(\.type) == ["status", "status"] && run.errors == "")
    }
  }

  @Test func `a status is followed no longer than somebody reads it`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion()
      let run = try await scratch.shell("timeout 280 pair status --watch $HOST | head -n 1")
      #expect(run.statuses == [0, 0])
      #expect(run.records("status").count == 1 && run.errors == "")
    }
  }

  @Test func `a person is told in columns, within 80 of them`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      let shown = try await screen(
        scratch,
        "pair status; pair devices; pair hosts; chat-log projects --host mac; chat-log list --host mac"
      )
      #expect(
        shown == [
          "HOST  STATUS  DEVICE  SINCE  SEEN",
          "mac  connected  laptop  <ago>  <ago>",
          "DEVICE  MAY  REGISTERED  SEEN  HUB  ID",
          "laptop  companion  <ago>  <ago>  http://127.0.0.1:<port>  device-1",
          "HOST  URL  PAIRED  SHOWS ITSELF  ID THERE",
          "mac  http://127.0.0.1:<port>  <ago>  address  device-1",
          "PROJECT  FOLDER  CHANGED  ID",
          "garden  /Users/sam/garden  2026-02-25  garden",
          "my-project  /Users/sam/my-project  2026-02-25  p 2/b",
          "CHAT  CHANGED  ID",
          "When are beans sown?  2026-02-25  beans",
          "Which soup?  2026-02-25  soup/1?",
          "How deep is a pond?  2026-02-25  pond",
          "Nothing yet  2026-02-25  nothing",
        ])
      let chat = try await screen(
        scratch,
        "chat-log show --host mac beans --limit 1 --cursor 7; chat-send --host mac --chat pond 'and?'"
      )
      #expect(
        chat == [
          "ID", "beans", "assistant", "When are beans sown? (7)",
          "chat-log: more messages follow: use --cursor 8", "You said: and?",
        ])
      let gone = try await screen(
        scratch,
        "pair disconnect; chat-log list --host mac; pair complete $HOST --code 123456")
      #expect(
        gone == [
          "HOST  STATUS", "mac  not connected",
          "chat-log: Companion is not paired; check the permissions",
          "pair: Pairing code expired; start pairing again",
        ])
    }
  }

  @Test func `names and texts of a host do nothing to a terminal`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion(["--strange"])
      try await scratch.pairWithCompanion()
      for line in [
        "pair status --text", "pair devices --text", "chat-log projects --host mac --text",
        "chat-log list --host mac --text", "chat-log show --host mac 'soup/1?' --limit 2 --text",
        "chat-send --host mac --chat pond 'and then?' --text",
        "chat-send --host mac --chat pond 'error and then?' --text",
        "chat-send --host mac --chat none hello --text", "chat-log show --host mac none --text",
        "pair revoke none --text", "pair revoke ../status --text",
      ] {
        let run = try await scratch.shell(line)
        let told = (run.output + run.errors).unicodeScalars
        let wrong = told.filter {
          $0 != "\n" && ($0.properties.generalCategory == .control || Self.bidi.contains($0.value))
        }
        #expect(wrong.isEmpty, "\(line): \(wrong.map(\.value))")
      }
      try scratch.expectGolden("pair/strange")
      let shown = try await screen(scratch, "pair status; pair devices; chat-log list --host mac")
      #expect(shown.allSatisfy { $0.count <= 80 } && shown.count == 9)
    }
  }

  private static let bidi: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)
    .union([0x200E, 0x200F, 0x061C])

  /// What a terminal of 80 columns shows of a command line, without empty lines; ports and ages are
  /// placeholders, and columns two spaces apart.
  private func screen(_ scratch: Scratch, _ line: String) async throws -> [String] {
    var shown: [String] = []
    try await ScreenTerminal.with(scratch, columns: 80, lines: 40) { terminal in
      try terminal.type("clear; \(line); echo over")
      try await terminal.until("over")
      shown = try terminal.shown().prefix { $0 != "over" }.filter { !$0.isEmpty }
    }
    return shown.map { line in
      scratch.settled(line)
        .replacingOccurrences(
          of: "just now|\\d+ (s|min) ago", with: "<ago>", options: .regularExpression
        )
        .replacingOccurrences(of: " {2,}", with: "  ", options: .regularExpression)
    }
  }
}
