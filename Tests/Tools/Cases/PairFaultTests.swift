import Foundation
import Synchronization
import TestSupport
import Testing

/// `pair` and `chat-log` with hosts that answer what they should not: each is asked once, nothing is
/// taken for what it is not, and the failure tells what to do.
@Suite("pair and hosts that misbehave")
struct PairFaultTests {
  /// What any answer can be in place of what it should be (companion_faults.py).
  static let answers = [
    "redirect", "html", "empty", "notJSON", "otherForm", "notOK", "page500", "bare404", "wrong401",
    "busy", "often", "strange", "short", "drop", "huge",
  ]

  /// Has an endpoint misbehave in each way in turn.
  static func faults(_ endpoint: String, _ names: [String]) -> [String] {
    names.enumerated().flatMap { ["--fault", "\(endpoint)=\($1):\($0 + 1)"] }
  }

  @Test func `a status that is none is told as what it is`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion(Self.faults("status", Self.answers))
      for name in Self.answers { try await scratch.shell("pair status $HOST # \(name)") }
      try scratch.expectGolden("pair/status-faults")
      #expect(server.requests.count == Self.answers.count)
    }
  }

  @Test(arguments: ["gzip", "unknown", "slow"])
  func `what is right is taken in whatever form it comes`(_ name: String) async throws {
    try await Scratch.with { scratch in
      let endpoints = ["complete", "status", "devices", "projects", "chats", "messages"]
      let server = try await scratch.serveCompanion(
        endpoints.flatMap { ["--fault", "\($0)=\(name)"] })
      try await scratch.pairWithCompanion()
      for line in [
        "pair status", "pair devices", "chat-log projects --host mac",
        "chat-log list --host mac --project garden", "chat-log show --host mac pond",
      ] {
        try await scratch.shell(line)
      }
      #expect(scratch.runs.allSatisfy { $0.statuses == [0] && $0.errors == "" })
      // The pairing, the projects for their own sake and for the one that is named.
      #expect(server.requests.count == 8)
      try scratch.expectGolden("pair/forms")
    }
  }

  @Test func `a pairing that fails is kept nowhere, and what fails is told`() async throws {
    let names = Self.answers + ["expired", "wrong400", "unconnected"]
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion(Self.faults("complete", names))
      for name in names {
        try await scratch.shell(
          "pair complete $HOST --code 123456 --name mac --device-name laptop # \(name)")
      }
      try await scratch.shell("pair hosts")
      try await scratch.shell("chat-log projects --host mac")
      try scratch.expectGolden("pair/complete-faults")
      #expect(server.requests.count == names.count)
      // Nothing was in the way of a pairing that goes well.
      try await scratch.pairWithCompanion()
      let status = try await scratch.shell("pair status | jq -r .connectedDevice.name")
      #expect(status.output == "laptop\n")
    }
  }

  @Test(arguments: [#"a\r\nX-Y: z"#, #"a\";tag=\"b"#, "ä", "mac", ""])
  func `a key id that could break a signature is neither stored nor used`(_ id: String)
    async throws
  {
    try await Scratch.with { scratch in
      let good = "01a2055f-b247-7000-8719-b0c8f4f3f613"
      let given = Mutex(id)
      let server = try LoopbackServer { _ in
        let body =
          #"{"ok":true,"connected":true,"connectedDevice":{"id":"d","name":"laptop","#
          + #""connectedAt":"2026-11-22T10:00:00.000Z","lastSeenAt":"2026-11-22T10:00:00.000Z"},"#
          + #""auth":{"scheme":"rfc9421","keyid":"\#(given.withLock(\.self))"}}"#
        return Reply(
          "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n",
          body: Array(body.utf8))
      }
      let pair = "pair complete \(server.url("")) --code 123456 --name mac"
      let refused = try await scratch.shell(pair)
      #expect(refused.statuses == [69])
      #expect(refused.records("error").first?["code"] == "InvalidResponse")
      #expect(refused.records("error").first?["url"] == server.url(""))
      #expect(try await scratch.shell("pair hosts").output == "")
      given.withLock { $0 = good }
      #expect(try await scratch.shell(pair).statuses == [0])
      // As an earlier version stored it.
      try scratch.write("work/id", id)
      try await scratch.shell(
        "sqlite3 ../home/data/store.db \"UPDATE pairedHost SET record = replace(record, '\(good)', readfile('id'))\""
      )
      let count = server.requests.count
      let stored = try await scratch.shell("pair status")
      #expect(stored.statuses == [69])
      #expect(stored.records("error").first?["code"] == "InvalidResponse")
      #expect(server.requests.count == count)
    }
  }

  @Test func `a code is right once, and in its time`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      let options = "--name mac --device-name laptop"
      for line in [
        "pair complete $HOST --code 123456 \(options)",
        "CODE=$($START | jq -r .code); pair complete $HOST --code $(printf %06d $(((10#$CODE + 1) % 1000000))) \(options); pair complete $HOST --code $CODE \(options); pair complete $HOST --code $CODE \(options)",
        "CODE=$($START -H 'content-type: application/json' -d '{\"ttlSeconds\": 0}' | jq -r .code); pair complete $HOST --code $CODE \(options)",
        "$START | jq -r .qrPayload | jq -c '.token = \"another\"' | pair complete $HOST --payload - \(options)",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/codes")
      #expect(server.requests(for: "complete").count == 6)
    }
  }

  @Test func `a QR code of another protocol is not sent anywhere`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion(["--fault", "start=protocol"])
      let run = try await scratch.shell(
        "$START | jq -r .qrPayload | pair complete $HOST --payload - --json")
      #expect(run.statuses.last == 76)
      #expect(
        run.errors
          == "pair: the QR code has protocol 'copilotforge-pair-v2', not 'copilotforge-pair-v1'; "
          + "check the address, or upgrade\n"
      )
      #expect(run.records("error").map { $0["code"] } == ["ProtocolMismatch"])
      #expect(server.requests(for: "complete").isEmpty)
    }
  }

  @Test(
    arguments: [
      ("devices", "pair devices"), ("revoke", "pair revoke device-1"),
      ("disconnect", "pair disconnect"),
      ("projects", "chat-log projects --host mac"),
      ("chats", "chat-log list --host mac --project garden"),
      ("messages", "chat-log show --host mac pond"),
    ])
  func `what is read of a host fails as what it is`(_ endpoint: String, _ line: String)
    async throws
  {
    try await Scratch.with { scratch in
      // Chats come after projects: what only reads is asked for again where the connection that is
      // used once more was closed meanwhile.
      let names = Self.answers.filter { endpoint != "chats" || $0 != "drop" }
      let server = try await scratch.serveCompanion(Self.faults(endpoint, names))
      try await scratch.pairWithCompanion()
      for name in names { try await scratch.shell("\(line) # \(name)") }
      try scratch.expectGolden("pair/\(endpoint)-faults")
      #expect(server.requests(for: endpoint).count == names.count)
    }
  }

  @Test func `several chats are read though one of them cannot be`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion(["--fault", "messages=page500:1"])
      try await scratch.pairWithCompanion()
      try await scratch.shell(
        "chat-log list --host mac --project my-project | chat-log show --host mac - --limit 1")
      try scratch.expectGolden("pair/one-chat-fails")
    }
  }
}
