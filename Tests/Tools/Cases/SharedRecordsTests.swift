import Core
import Foundation
import Requests
import Storage
import TestSupport
import Testing

/// Two hubs on two machines, whose records are in one database of PostgreSQL.
@Suite(
  "records that hubs share",
  .enabled(if: PostgresServer.isInstalled, "the server of PostgreSQL 15 is not installed"))
struct SharedRecordsTests {
  let server: PostgresServer
  let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(isEmpty: true)
    try server.run("CREATE ROLE hub_\(database) LOGIN")
  }

  private var owner: String { server.url(of: database) }
  private var records: String { server.url(of: database, user: "hub_\(database)") }

  /// Starts a hub with a home of its own, and sets the given variable to its URL.
  private func hub(
    _ name: String, _ options: String = "", in scratch: Scratch
  ) async throws -> Running {
    let hub = try scratch.running(
      "AGENTPIPES_HOME='\(scratch.path(name))' exec hub-serve --listen 127.0.0.1:0"
        + " --records '\(records)' \(options)")
    try await scratch.until("it listens") { hub.errors.contains("listening on ") }
    let words = hub.errors.split(whereSeparator: \.isWhitespace)
    scratch.set(name, String(words.last { $0.hasPrefix("http") } ?? ""))
    return hub
  }

  /// Registers this machine at the given hub.
  private func register(at hub: String, in scratch: Scratch) async throws {
    let run = try await scratch.shell(
      "code=$(hub-serve register-code --records '\(records)' --name laptop | jq -r .code);"
        + " pair register $\(hub) --code $code")
    #expect(run.statuses == [0])
  }

  private func migrate(_ scratch: Scratch) async throws {
    let made = try await scratch.shell(
      "hub-serve migrate --records '\(owner)' --grant hub_\(database)")
    #expect(made.statuses == [0] && made.errors.contains("has the tables of this version"))
  }

  private func withHubs(_ body: (Scratch, (Running, Running)) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      try await migrate(scratch)
      let hubs = (try await hub("A", in: scratch), try await hub("B", in: scratch))
      for name in ["A", "B"] { try await register(at: name, in: scratch) }
      try await body(scratch, hubs)
    }
  }

  @Test func `a gate that is asked at one hub is decided once, at the other`() async throws {
    try await withHubs { scratch, hubs in
      #expect(!hubs.0.errors.contains("only a trigger protects"))
      let asking = try scratch.running("gate-decide ask --hub $A --timeout 10m 'Deploy?'")
      var id = ""
      try await scratch.until("the other hub has the gate") {
        id = try scratch.output(of: "gate-decide list --hub $B | jq -r .gateId")
          .trimmingCharacters(in: .newlines)
        return !id.isEmpty
      }
      let first = try await scratch.shell("gate-decide approve --hub $B \(id) --reason tested")
      #expect(first.statuses == [0])
      let asked = await asking.ended()
      #expect(asked.statuses == [0])
      let second = try await scratch.shell(
        "gate-decide reject --hub $A \(id) --reason 'it came too late'")
      #expect(second.records("error").map { $0["code"] } == ["Conflict"])
      let kept = try server.run("SELECT count(*) FROM audit", in: database)
      #expect(kept == "2")
      let shown = try scratch.output(of: "gate-decide show --hub $A \(id) | jq -r .type")
      #expect(shown == "approvalGate\ndecisionReceipt\ndecisionReceipt\n")
    }
  }

  @Test func `an agent of one hub is seen and ended at the other`() async throws {
    try await withHubs { scratch, _ in
      let agent = try scratch.running(
        "agent-run --hub $A --agent linter -- sh -c 'echo begun; sleep 1000'")
      try await scratch.until("the other hub sees it") {
        try scratch.output(of: "agent-stat agents --hub $B | jq -r .id").contains("linter")
      }
      let ended = try await scratch.shell(
        "agent-control terminate agent linter --hub $B --reason stuck --confirm TERMINATE --wait 4m"
      )
      #expect(ended.statuses == [0])
      await agent.ended()
      try await scratch.until("both hubs have its last event") {
        try ["A", "B"].allSatisfy { hub in
          try scratch.output(of: "agent-stat agents --hub $\(hub) | jq -r .status")
            .contains("terminated")
        }
      }
    }
  }

  @Test func `events that one hub received survive it, and are read at the other`() async throws {
    try await withHubs { scratch, hubs in
      let run = try await scratch.shell(
        "agent-run --hub $A --agent counter -- sh -c 'for i in 1 2 3 4 5; do echo $i; done'")
      #expect(run.statuses == [0])
      hubs.0.child.signal(SIGKILL)
      await hubs.0.ended()
      let seen = try scratch.output(
        of: "stream-tail --hub $B --type log | jq -r .message")
      #expect(seen == "1\n2\n3\n4\n5\n")
    }
  }

  @Test func `an agent whose hub is killed goes on at the next of its list`() async throws {
    try await withHubs { scratch, hubs in
      let agent = try scratch.running(
        "agent-run --hub $A,$B --agent copier -- cat", input: nil)
      let logs = "stream-tail --hub $B --type log | jq -r .message"
      agent.writer?.write("one\n")
      try await scratch.until("the first hub has an event") {
        try scratch.output(of: logs) == "one\n"
      }
      hubs.0.child.signal(SIGKILL)
      await hubs.0.ended()
      agent.writer?.write("two\n")
      try await scratch.until("the second hub has the next event") {
        try scratch.output(of: logs) == "one\ntwo\n"
      }
      let ended = try await scratch.shell(
        "agent-control terminate agent copier --hub $A,$B --reason stuck --confirm TERMINATE --wait 4m"
      )
      #expect(ended.statuses == [0])
      #expect(ended.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      await agent.ended()
      #expect(
        try scratch.output(of: logs) == "one\ntwo\nthe command was killed by SIGTERM\n")
    }
  }

  @Test func `a gate that is asked through a list is decided after a hub was killed`() async throws
  {
    try await withHubs { scratch, hubs in
      let asking = try scratch.running("gate-decide ask --hub $A,$B --timeout 10m 'Deploy?'")
      var id = ""
      try await scratch.until("the second hub has the gate") {
        id = try scratch.output(of: "gate-decide list --hub $B | jq -r .gateId")
          .trimmingCharacters(in: .newlines)
        return !id.isEmpty
      }
      hubs.0.child.signal(SIGKILL)
      await hubs.0.ended()
      let decided = try await scratch.shell("gate-decide approve --hub $A,$B \(id)")
      #expect(decided.statuses == [0])
      let asked = await asking.ended()
      #expect(asked.statuses == [0] && asked.errors.isEmpty)
      let gates = try scratch.output(of: "gate-decide list --all --hub $B,$A | jq -r .status")
      #expect(gates == "approved\n")
    }
  }

  @Test func `a gate of a run belongs to the list, and the hub that is left decides it`()
    async throws
  {
    try await withHubs { scratch, hubs in
      _ = try await scratch.serveModels()
      let run = try scratch.running(
        "exec stage-run --hub $A,$B --json --wait", input: Plan.three)
      let list = "gate-decide list | jq -r .gateId"
      var id = ""
      try await scratch.until("a hub owns the gate") {
        id = try scratch.output(of: list).trimmingCharacters(in: .newlines)
        let store = try Store(existingIn: Directories(environment: scratch.environment))
        return try store?.hub(ofGate: id)?.isOwner ?? false
      }
      hubs.0.child.signal(SIGKILL)
      await hubs.0.ended()
      let decided = try await scratch.shell("gate-decide approve \(id) --reason 'it is well so'")
      #expect(decided.statuses == [0])
      #expect(decided.records("decisionReceipt").map { $0["actor"] } == ["laptop"])
      try await scratch.until("the next gate waits") {
        let next = try scratch.output(of: list)
        return !next.isEmpty && next != id + "\n"
      }
      let shown = try scratch.output(of: "gate-decide show --hub $B \(id) | jq -r .status")
      #expect(shown == "approved\napproved\n")
      run.child.signal(SIGTERM)
      await run.ended()
    }
  }

  @Test func `who follows a list of hubs reads each event once if one is killed`() async throws {
    try await withHubs { scratch, hubs in
      let follower = try scratch.running(
        "exec stream-tail --follow --hub $A,$B --type log", input: nil)
      func report(_ numbers: String, _ hubs: String) async throws {
        let run = try await scratch.shell(
          "agent-run --hub \(hubs) --agent counter -- seq \(numbers)")
        #expect(run.statuses == [0])
      }
      func messages() -> [String] { Record.all(in: follower.output).map { $0["message"] } }
      try await report("1 5", "$B")
      try await scratch.until("it reads from the first hub") { messages().count == 5 }
      hubs.0.child.signal(SIGKILL)
      await hubs.0.ended()
      try await report("6 9", "$A,$B")
      try await scratch.until("it reads from the second hub") { messages().count >= 9 }
      #expect(messages() == (1...9).map { "\($0)" })
      follower.child.signal(SIGTERM)
      await follower.ended()
    }
  }

  @Test(arguments: ["--auth strict", "--auth address"])
  func `a companion of one hub is no companion of the other machine`(auth: String) async throws {
    try await Scratch.with { scratch in
      try await migrate(scratch)
      for name in ["A", "B"] {
        _ = try await hub(name, auth, in: scratch)
        try await scratch.shell(
          "mkdir -p study && AGENTPIPES_HOME='\(scratch.path(name))' chat-send --project ./study 'what is a WAL?'"
        )
      }
      let start = try scratch.running(
        "AGENTPIPES_HOME='\(scratch.path("A"))' exec pair start --ttl 10m --print-payload")
      try await scratch.until("the code is there") { start.output.hasSuffix("\n") }
      try scratch.write("work/pairing", start.output)
      scratch.set("AGENTPIPES_HOME", scratch.path("phone"))
      let paired = try await scratch.shell(
        "jq -r .qrPayload pairing | pair complete $A --payload - --name mac --device-name phone")
      #expect(paired.statuses == [0, 0], "\(paired.errors)")
      await start.ended()
      let read = "chat-log list --host mac"
      #expect(try await scratch.shell(read).statuses == [0])
      // Its key and its id stay the same, and it names the other hub.
      try await scratch.shell(
        "sqlite3 '\(scratch.path("phone"))/data/store.db' \"UPDATE pairedHost SET record = replace(record, '$A', '$B')\""
      )
      let other = try await scratch.shell(read)
      #expect(other.statuses == [77] && other.records("chat").isEmpty)
      #expect(
        other.records("error").map { [$0["code"], $0["explanation"]] }
          == [["AuthExpired", "the signature is not from a paired device"]])
      let unsigned = try await scratch.shell(
        "curl -s $B/companion/projects | jq -c '[.code, .kind]'")
      #expect(
        unsigned.output
          == (auth == "--auth strict"
            ? "[\"AuthExpired\",\"unsigned\"]\n" : "[\"PermissionDenied\",\"notPaired\"]\n"))
      let devices = try await scratch.shell(
        "for h in A B; do AGENTPIPES_HOME=\"$PWD/../$h\" hub-serve devices --records '\(records)' | jq -r .name; done"
      )
      #expect(devices.output == "phone\n")
      #expect(try server.run("SELECT count(*) FROM companion", in: database) == "0")
      #expect(try server.run("SELECT count(*) FROM companionNonce", in: database) == "0")
    }
  }

  @Test func `a browser of one hub is no browser of the other, and has its notifications`()
    async throws
  {
    try await Scratch.with { scratch in
      try await migrate(scratch)
      for name in ["A", "B"] { _ = try await hub(name, "--page", in: scratch) }
      let home = "AGENTPIPES_HOME='\(scratch.path("A"))'"
      let run = try await scratch.shell(
        "CODE=$(\(home) pair page --hub $A | jq -r .url | sed 's/.*=//'); curl -si -H \"Origin: $A\" -d code=$CODE $A/page/sign-in | sed -n 's/^Set-Cookie: [^=]*=\\([^;]*\\).*/\\1/p'"
      )
      let token = run.output.trimmingCharacters(in: .newlines)
      for (hub, wanted) in [("A", "200"), ("B", "401")] {
        let seen = try await scratch.shell(
          "curl -so page -w '%{http_code}' -b \"agentpipes-${\(hub)##*:}=\(token)\" $\(hub)/page")
        #expect(seen.output == wanted, "\(hub)")
      }
      // The key is that of RFC 8291, section 5.
      let subscription = """
        {"endpoint":"https://push.example.net/x","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}
        """
      let stored = try await scratch.shell(
        "FORM=$(curl -s -b \"agentpipes-${A##*:}=\(token)\" $A/page/push.json | jq -r .token); curl -so answer -w '%{http_code}' -b \"agentpipes-${A##*:}=\(token)\" -H \"Origin: $A\" --data-urlencode \"token=$FORM\" --data-urlencode 'subscription=\(subscription)' $A/page/push"
      )
      #expect(stored.output == "303")
      let found = try await scratch.shell(
        "sqlite3 '\(scratch.path("A"))/data/store.db' 'SELECT count(*) FROM device WHERE pushToken IS NOT NULL'"
      )
      #expect(found.output == "1\n")
    }
  }

  @Test(arguments: [
    ("postgresql://hub:secret@db/x", "BadUsage"), ("mysql://db/x", "BadUsage"),
    ("postgresql:///x?host=/nowhere", "StorageFailed"),
  ])
  func `a database that cannot be used ends the hub`(url: String, code: String) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("hub-serve --listen 127.0.0.1:0 --records '\(url)'")
      #expect(run.records("error").map { $0["code"] } == [code])
      #expect(!run.errors.contains("secret"))
    }
  }

  @Test func `a database without tables is refused with the next step`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("hub-serve --listen 127.0.0.1:0 --records '\(owner)'")
      #expect(run.statuses == [74])
      #expect(run.records("error").first?["kind"] == "olderSchema")
    }
  }
}
