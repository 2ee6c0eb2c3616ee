import Foundation
import TestSupport
import Testing

/// `pair` and a host that was written from the founding document alone.
@Suite("pair and a host")
struct PairTests {
  @Test func `a host is paired with by its digits, read, gone on with and let go`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.shell("pair status $HOST")
      try await scratch.pairWithCompanion()
      for line in [
        "pair status", "pair status mac", "pair status $HOST/", "pair devices", "pair hosts",
        "chat-log projects --host mac", "chat-log list --host mac",
        "chat-log list --host mac --project my-project | chat-log show --host mac -",
        "chat-log show --host mac beans --limit 2 --cursor 117",
        "chat-send --host mac --chat 'soup/1?' --stream 'and then?'",
        "chat-send --host mac --chat 'soup/1?' --stream --model m1 'with it'",
        "chat-log show --host mac 'soup/1?' --cursor 4",
        "pair disconnect", "pair status", "chat-log list --host mac",
        "chat-send --host mac --chat pond 'and then?'", "pair devices",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/host")
      // The host names no way to sign: nothing is signed.
      #expect(server.requests.allSatisfy { !$0["headers"].contains("signature") })
      #expect(server.requests(for: "continue").count == 2)
    }
  }

  @Test func `what the QR code says pairs, and is kept nowhere`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion()
      try await scratch.shell("$START | jq -r .qrPayload > payload")
      for line in [
        "pair complete --payload - <payload",
        "pair complete $HOST --payload - --name mac --device-name laptop <payload",
        "pair complete $HOST --payload - <payload",
        "pair complete $HOST --payload \"$($START | jq -r .qrPayload)\" --device-name laptop",
        "pair hosts",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/payload")
      let found = try await scratch.shell(
        "grep -rlF -e $(jq -r .token payload) -e $(jq -r .code payload) ../home ../runs ../companion.log"
      )
      #expect(found.output == "" && found.statuses == [1])
    }
  }

  @Test func `a host of the founding document shows a code, too`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      let start = try scratch.starting("pair", "start", "--hub", server.url(""))
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      try scratch.write("work/pairing", start.output)
      let paired = try await scratch.shell(
        "pair complete $HOST --code $(jq -r .code pairing) --name mac --device-name laptop")
      #expect(paired.statuses == [0])
      let run = await start.ended()
      #expect(run.endings == [.exit(0)])
      #expect(run.records.map(\.type) == ["pairing", "device"])
      #expect(run.records("device").map { $0["name"] } == ["laptop"])
      #expect(server.requests(for: "start").count == 1)
    }
  }

  @Test func `the same key comes back as the same device`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      try await scratch.shell("pair disconnect | jq .connected")
      try await scratch.pairWithCompanion()
      let devices = try await scratch.shell("pair devices | jq -r .id")
      #expect(devices.output == "device-1\n")
      // Its host lets it in no more, as its own user asked there, or as this machine did.
      for revoke in ["curl -s -X DELETE $HOST/companion/devices/", "pair revoke "] {
        try await scratch.shell("\(revoke)$(pair devices | jq -r .id) >/dev/null")
        let status = try await scratch.shell("pair status | jq .connected")
        #expect(status.output == "false\n")
        #expect(try await scratch.shell("pair devices").output == "")
        #expect(try await scratch.shell("chat-log projects --host mac").statuses == [77])
        try await scratch.pairWithCompanion()
      }
      let again = try await scratch.shell("chat-log projects --host mac | jq -r .id")
      #expect(again.output == "garden\np 2/b\n")
    }
  }

  @Test(arguments: [1, 7, 50, 120, 500])
  func `history is read part by part, each where the last one ended`(_ limit: Int) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      let whole = try await scratch.shell("chat-log show --host mac beans --limit 1000")
      #expect(whole.records("message").map(\.id) == (0..<120).map { "beans-\($0)" })
      #expect(whole.records("chat").map { $0["nextCursor"] } == [""])
      let parts = try await scratch.shell(
        """
        cursor=0; while [ "$cursor" != null ]; do \
        chat-log show --host mac beans --limit \(limit) --cursor "$cursor" >part || exit; \
        grep '"message"' part; cursor=$(jq -r 'select(.type == "chat") | .nextCursor' part); done
        """)
      let messages = whole.output.split(separator: "\n").dropFirst()
      #expect(parts.output.split(separator: "\n") == Array(messages))
      #expect(server.requests(for: "messages").count == 1 + (120 + limit - 1) / limit)
    }
  }

  @Test func `what cannot be right is refused before anybody is asked`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try scratch.write(
        "work/payload",
        #"{"code":"123456","expiresAt":"2099-01-01T00:00:00.000Z","protocol":"copilotforge-pair-v1","token":"t"}"#
      )
      try scratch.write("work/no.png", "no picture\n")
      for line in [
        "pair complete $HOST", "pair complete --code 123456", "pair complete $HOST --code 12345",
        "pair complete $HOST --code 12345a", "pair complete $HOST --code ' 123456'",
        "pair complete $HOST --code ١٢٣٤٥٦", "pair complete $HOST --code 123456 --qr no.png",
        "pair complete $HOST --code 123456 --name a/b",
        "pair complete $HOST --code 123456 --name ''",
        "pair complete ftp://host --code 123456", "pair complete http://sam:pw@host --code 123456",
        "pair complete \"$HOST?x=y\" --code 123456", "pair complete '' --code 123456",
        "pair complete http://127.0.0.1:9 --code 123456", "pair status http://127.0.0.1:9",
        "pair status nowhere", "chat-log list --host nowhere",
        "pair complete $HOST --payload hello", "pair complete $HOST --payload - </dev/null",
        "jq -c '.protocol = \"copilotforge-pair-v2\"' payload | pair complete $HOST --payload -",
        "jq -c 'del(.protocol)' payload | pair complete $HOST --payload -",
        "jq -c 'del(.token)' payload | pair complete $HOST --payload -",
        "jq -c '.code = \"12\"' payload | pair complete $HOST --payload -",
        "pair complete $HOST --qr missing.png", "pair complete $HOST --qr no.png",
        "TOOL=$(command -v pair); PATH=/none $TOOL complete $HOST --qr no.png", "pair hosts",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/wrong")
      #expect(server.requests.isEmpty)
    }
  }

  @Test(
    arguments: [
      "pair complete http://192.0.2.1:7878 --code 123456", "pair status http://192.0.2.1:7878",
      "pair status 'http://[2001:db8::1]:7878'", "pair devices --host 192.0.2.1:7878",
      "pair revoke device-1 --host http://192.0.2.1:7878", "pair disconnect http://192.0.2.1",
      "chat-log projects --host http://192.0.2.1:7878",
      "chat-log show pond --host http://192.0.2.1:7878",
      "chat-send --host http://192.0.2.1:7878 --chat pond hello",
    ])
  func `HTTP in the clear goes to no address of the whole world`(_ line: String) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      // Of what was asked of a model, the answer tells it.
      let record = try #require(run.records.first)
      let failure = record.type == "message" ? "error." : ""
      #expect(run.statuses == [77] && run.records.count == 1)
      #expect(record[failure + "code"] == "PermissionDenied")
      #expect(record[failure + "kind"] == "blockedAddress")
      #expect(run.errors.contains("--allow-http"))
    }
  }

  @Test func `a name is judged by the address that it leads to`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      let run = try await scratch.shell("pair status http://localhost:\(server.port)")
      #expect(run.statuses == [0] && run.errors == "")
    }
  }

  @Test func `hosts have names, the configuration's go first, and they are forgotten`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      try await scratch.shell(
        "pair complete $HOST --code $($START | jq -r .code) --device-name laptop >/dev/null")
      try await scratch.shell("pair hosts | jq -r .name")
      try scratch.write(
        "home/config/config.toml",
        "[hosts.mac]\nurl = 'http://127.0.0.1:9'\n[hosts.attic]\nurl = '\(server.url("/"))'\n")
      for line in [
        "pair hosts", "pair status mac", "pair status attic", "pair status $HOST",
        "chat-log projects --host attic", "pair forget ${HOST#http://}", "pair forget mac",
        "pair forget mac", "pair forget attic", "pair hosts", "pair hosts --text",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("pair/hosts")
    }
  }
}
