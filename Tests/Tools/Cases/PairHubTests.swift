import Foundation
import TestSupport
import Testing

/// `pair` on both sides: a hub's machine shows a code, and another machine takes it.
@Suite("pair and a hub")
struct PairHubTests {
  /// Runs a test with a hub that has a chat and shows a code; the tools that follow are another
  /// machine's.
  private static func withCode(
    _ options: String..., body: (Scratch, Running) async throws -> Void
  ) async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.shell(
        "mkdir study && chat-send --project ./study 'what is a WAL?' >/dev/null")
      let hub = scratch.environment["HUB"] ?? ""
      let start = try scratch.running(
        ["pair", "start", "--hub", hub, "--ttl", "10m", "--png", "qr.png"] + options, "pair start")
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      try await body(scratch, start)
    }
  }

  /// What was started ends when somebody paired, and says who.
  private static func expectPaired(_ start: Running, by way: String) async throws {
    let run = await start.ended()
    #expect(run.endings == [.exit(0)])
    #expect(run.records.map(\.type) == ["pairing", "device"])
    #expect(run.records("device").map { $0["name"] } == ["laptop"])
    #expect(run.records("device").map { $0["via"] } == [way])
  }

  @Test func `a picture of the code pairs`() async throws {
    try await Self.withCode { scratch, start in
      let picture = FileManager.default.contents(atPath: scratch.path("work/qr.png")) ?? Data()
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(try await scratch.shell("stat -c %a qr.png").output == "600\n")
      #expect(!start.output.contains("qrPayload") && !start.output.contains("token"))
      let nowhere = try await scratch.shell("pair complete --qr qr.png --device-name laptop")
      #expect(nowhere.statuses == [64])
      #expect(
        nowhere.errors == "pair: the QR code does not contain the host's URL; pass the URL\n")
      let paired = try await scratch.shell(
        "pair complete $HUB --qr qr.png --name mac --device-name laptop")
      #expect(paired.statuses == [0] && paired.errors == "")
      #expect(paired.records("status").map { $0["connectedDevice.name"] } == ["laptop"])
      try await Self.expectPaired(start, by: "qr")
      let again = try await scratch.shell("pair complete $HUB --qr qr.png --device-name laptop")
      #expect(again.statuses == [0], "the same key has its answer again: \(again.errors)")
      scratch.set("AGENTPIPES_HOME", scratch.path("third"))
      let other = try await scratch.shell("pair complete $HUB --qr qr.png --device-name tablet")
      #expect(other.statuses != [0])
      #expect(other.records("error").count == 1 && !other.errors.isEmpty)
    }
  }

  @Test func `what the code says pairs by a pipe, and the digits do`() async throws {
    try await Self.withCode("--print-payload") { scratch, start in
      try scratch.write("work/pairing", start.output)
      let run = try await scratch.shell(
        "jq -r .qrPayload pairing | pair complete $HUB --payload - --name mac --device-name laptop"
      )
      #expect(run.statuses == [0, 0] && run.errors == "")
      try await Self.expectPaired(start, by: "qr")
    }
    try await Self.withCode { scratch, start in
      try scratch.write("work/pairing", start.output)
      let run = try await scratch.shell(
        "pair complete $HUB --code $(jq -r .code pairing) --name mac --device-name laptop")
      #expect(run.statuses == [0] && run.errors == "")
      try await Self.expectPaired(start, by: "code")
    }
  }

  @Test func `who was revoked is told so, and is let in again when paired anew`() async throws {
    try await Self.withCode { scratch, start in
      try scratch.write("work/pairing", start.output)
      try await scratch.shell("pair status $HUB")
      try await scratch.shell(
        "pair complete $HUB --code $(jq -r .code pairing) --name mac --device-name laptop >/dev/null"
      )
      try await scratch.until("the host knows who paired") { start.child.hasEnded }
      for line in [
        "chat-log list --host mac | jq -r .title", "pair revoke $(pair devices | jq -r .id)",
        "pair status", "pair status $HUB", "pair devices", "pair disconnect",
        "chat-log list --host mac", "chat-send --host mac --chat 0 hello",
        "pair hosts | jq -c 'del(.deviceId)'",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/revoked")
      try await scratch.shell("curl -s -X POST $HUB/companion/pairing/start | jq -r .code >code")
      // One try a second is looked at.
      let again = try await scratch.shell(
        """
        until pair complete $HUB --code $(cat code) --name mac --device-name laptop >said; do \
        grep -q RateLimited said || break; done; jq .connected said
        """)
      #expect(again.output == "true\n")
      let chats = try await scratch.shell("chat-log list --host mac | jq -r .title")
      #expect(chats.output == "what is a WAL?\n")
    }
  }

  @Test func `a hub's status is followed by whoever paired`() async throws {
    try await Self.withCode { scratch, start in
      try scratch.write("work/pairing", start.output)
      try await scratch.shell(
        "pair complete $HUB --code $(jq -r .code pairing) --name mac --device-name laptop")
      let watch = try scratch.starting("pair", "status", "--watch", "mac")
      try await scratch.until("the first state is told") { watch.output.hasSuffix("\n") }
      try await scratch.shell("pair disconnect")
      try await scratch.until("the second is told") {
        watch.output.split(separator: "\n").count == 2
      }
      watch.child.signal(SIGINT)
      let run = await watch.ended()
      #expect(run.endings == [.signal(SIGINT)] && run.errors == "")
      #expect(run.records("status").map { $0["connected"] } == ["1", "0"])
    }
  }

  @Test func `nobody in time is told, with what to do`() async throws {
    try await Scratch.withHub { scratch, _ in
      let run = try await scratch.shell("pair start --hub http://127.0.0.1:9")
      #expect(run.statuses == [69])
      #expect(run.errors.hasPrefix("pair: no hub answers at 'http://127.0.0.1:9' ("))
      #expect(run.errors.contains("); start one with 'hub-serve "))
      for line in ["pair start --hub $HUB --level X", "pair start --hub $HUB --ttl soon"] {
        #expect(try await scratch.shell(line).statuses == [64])
      }
      let unwritable = try await scratch.shell("pair start --hub $HUB --png /nowhere/qr.png")
      #expect(unwritable.statuses == [74])
      #expect(unwritable.errors.hasPrefix("pair: cannot "))
    }
  }
}
