import Foundation
import TestSupport
import Testing

/// Stores that cannot be written, or are not what they were.
@Suite("store files")
struct StoreFileTests {
  /// What only looks, and so needs nothing but to read.
  private static let questions = [
    // The log before agent-stat, which tells it what is the matter where it can.
    "stream-tail", "stream-tail --last 2",
    "stage-run --list", "stage-run --show \(Plan.pipeline)", "gate-decide list",
    "gate-decide list --all", "gate-decide show $GATE", "agent-stat", "agent-stat agents",
    "agent-stat swarms", "agent-stat swarm \(Plan.pipeline)", "agent-stat agent \(Plan.id(0))",
    "agent-stat incidents --all", "agent-stat context", "agent-stat skills",
    "agent-stat thresholds", "agent-stat audit",
    "key-store list", "key-store get openai",
  ]
  /// What would have something to keep.
  private static let changes = [
    "ceo-plan 'A goal'", "stage-run --resume", "gate-decide approve $GATE",
    "gate-decide reject $GATE --reason 'not good enough'", "gate-decide ask 'Deploy?'",
    "agent-control pause agent \(Plan.id(0)) --reason 'wait a while'",
    "key-store set azure",
  ]

  /// A home with a gate that waits, events that nobody took in yet, and a key.
  private func fill(_ scratch: Scratch) async throws {
    try await scratch.serveModels(#"[{"text":"Text","times":0}]"#)
    scratch.set("ANTHROPIC_API_KEY", nil)
    scratch.set("OPENAI_API_KEY", nil)
    try await scratch.shell("key-store set openai", input: scratch.secret + "\n")
    try await scratch.shell(
      "stage-run --model gpt-5.5 >/dev/null", input: Plan.head + "\n" + Plan.stage(0))
    let gate = try await scratch.shell("gate-decide list | jq -r .gateId").output
    scratch.set("GATE", gate.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Compares what questions come to in a home with what they come to where nothing can be written.
  ///
  /// - Parameters:
  ///   - scratch: Where the home is.
  ///   - prefix: What a command is run by there; `ro` is the copy that it is to see.
  /// - Throws: What running a command throws.
  private func compare(_ scratch: Scratch, readOnlyBy prefix: String) async throws {
    // Breadcrumbs are added to a file that is there; readers of a log note in its shared memory.
    let before = try await scratch.shell(
      "cd ..; find ro -type f ! -name '*-shm' ! -path '*/state/*' | sort | xargs sha256sum"
    ).output
    let server = try #require(scratch.environment["OPENAI_BASE_URL"])
    // A model that is asked all the same fails at once.
    scratch.set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for question in Self.questions {
      scratch.set("AGENTPIPES_HOME", scratch.path("ro"))
      let run = try await scratch.shell("\(prefix) \(question)")
      #expect(run.statuses == [0], "\(question): \(run.errors)")
      scratch.set("AGENTPIPES_HOME", scratch.path("rw"))
      let other = try await scratch.shell(question)
      #expect(other.statuses == [0], "\(question): \(other.errors)")
      #expect(settled(scratch, run.output) == settled(scratch, other.output), "\(question)")
    }
    scratch.set("AGENTPIPES_HOME", scratch.path("ro"))
    for change in Self.changes {
      let run = try await scratch.shell("\(prefix) \(change)", input: "some-secret-value\n")
      #expect(run.statuses == [74], "\(change)")
      #expect(run.records("error").map { $0["code"] as String } == ["StorageFailed"], "\(change)")
    }
    scratch.set("OPENAI_BASE_URL", server)
    let after = try await scratch.shell(
      "cd ..; find ro -type f ! -name '*-shm' ! -path '*/state/*' | sort | xargs sha256sum"
    ).output
    #expect(before == after)
  }

  /// Without what the present is part of.
  private func settled(_ scratch: Scratch, _ text: String) -> String {
    scratch.settled(text)
      .replacing(/"(\w+Seconds|updatedAt|ageMs|throughput)":[0-9.]+/) { "\"\($0.1)\":<n>" }
      .replacing(/"history":\[[0-9,]*\]/, with: "<history>")
  }

  @Test func `in a folder that cannot be written all questions are answered`() async throws {
    try await Scratch.with { scratch in
      try await fill(scratch)
      // As root everything can be written: another user is asked then, whose files they are.
      try await scratch.shell("cd ..; cp -a home ro; cp -a home rw; find ro -type d")
      let prefix: String
      if geteuid() == 0 {
        try await scratch.shell("cd ..; chown -R 65534 ro; find ro -type d | xargs chmod 500")
        prefix = "setpriv --reuid=65534 --regid=65534 --clear-groups --"
      } else {
        try await scratch.shell("cd ..; find ro -type d | xargs chmod 500")
        prefix = ""
      }
      try await compare(scratch, readOnlyBy: prefix)
      try await scratch.shell("cd ..; find ro -type d | xargs chmod 700")
    }
  }

  /// Whether a file system may be mounted where nobody else sees it.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(.enabled(if: canMount, "no file system may be mounted here"), arguments: [false, true])
  func `on a read-only file system all questions are answered`(isOpen: Bool) async throws {
    try await Scratch.with { scratch in
      try await fill(scratch)
      // Who has the files open has not taken the logs in, and a copy looks as after a crash.
      let open = isOpen ? try scratch.running("gate-decide ask 'Go on?' --agent a") : nil
      if let open {
        try await scratch.until("the gate is told") { open.output.contains("pending") }
      }
      if open == nil {
        // Whoever closes a file last takes its log in.
        try await scratch.shell(
          "cd ../home/data; for f in store events; do sqlite3 $f.db 'SELECT * FROM grdb_migrations'; done"
        )
      }
      try await scratch.shell("cd ..; cp -a home kept; cp -a home rw; mkdir ro; ls kept/data")
      #expect(scratch.runs.last?.output.contains("store.db-wal") == isOpen)
      open?.child.signal(SIGTERM)
      await open?.ended()
      let mount =
        "mount -t tmpfs none ../ro && cp -a ../kept/. ../ro && mount -o remount,ro ../ro"
      try scratch.write(
        "bin/read-only", "set -e\n\(mount)\nexec bash -c \"$1\"\n")
      try scratch.write(
        "bin/ro", "exec unshare -m bash '\(scratch.path("bin/read-only"))' \"${*@Q}\"\n")
      try await compare(scratch, readOnlyBy: "bash '\(scratch.path("bin/ro"))'")
    }
  }

  @Test func `a store of a newer version is refused by every tool, and nothing is changed`()
    async throws
  {
    try await Scratch.with { scratch in
      try await fill(scratch)
      for name in ["store", "events"] {
        try await scratch.shell(
          "sqlite3 ../home/data/\(name).db \"INSERT INTO grdb_migrations VALUES ('99 of tomorrow')\""
        )
      }
      let sum = "cd ../home/data; sha256sum store.db events.db"
      let before = try await scratch.shell(sum).output
      let lines = Plan.head.replacingOccurrences(of: "0001", with: "0002") + "\n"
      for command in Self.changes.dropLast() + [
        "stage-run --list", "gate-decide list", "agent-stat",
      ] {
        let run = try await scratch.shell(command, input: lines)
        #expect(run.statuses == [74], "\(command)")
        #expect(run.records("error").map { $0["kind"] as String } == ["newerSchema"], "\(command)")
        #expect(run.errors.contains("upgrade agentpipes"), "\(command)")
      }
      let tail = try await scratch.shell("stream-tail")
      #expect(tail.statuses == [74] && tail.errors.contains("upgrade agentpipes"))
      #expect(try await scratch.shell(sum).output == before)
    }
  }

  @Test func `an empty store is not begun anew, and a removed one is`() async throws {
    try await Scratch.with { scratch in
      try await fill(scratch)
      try await scratch.shell("cp ../home/data/store.db ~; : > ../home/data/store.db")
      for command in ["stage-run --list", "gate-decide list", "ceo-plan 'A goal'"] {
        let run = try await scratch.shell(command)
        #expect(run.statuses == [74], "\(command)")
        #expect(run.records("error").map { $0["kind"] as String } == ["corrupt"], "\(command)")
        #expect(run.errors.contains("is empty but was not before"), "\(command)")
      }
      #expect(try await scratch.shell("stat -c %s ../home/data/store.db").output == "0\n")
      let back = try await scratch.shell("cp ~/store.db ../home/data; stage-run --list")
      #expect(back.records("pipeline").count == 1)
      let anew = try await scratch.shell("rm ../home/data/store.db*; stage-run --list")
      #expect(anew.statuses == [0] && anew.output.isEmpty)
    }
  }
}
