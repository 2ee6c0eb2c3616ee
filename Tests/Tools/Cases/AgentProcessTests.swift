import Core
import Foundation
import Requests
import Storage
import TestSupport
import Testing

/// What agent-run does with processes: signals, terminals, controls.
@Suite("agent-run's processes")
struct AgentProcessTests {
  /// Prints its process, says when it was told to end, and works on until then.
  private static let worker =
    "trap 'echo term; exit 5' TERM; echo $$; while :; do sleep 0.02; done"

  /// The first letter of each process's state in a group, as proc(5) tells it, sorted.
  private func states(ofGroup group: pid_t) -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int($0) != nil }.compactMap { name -> String? in
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(name)/stat") else {
        return nil
      }
      // The name of the program, which may hold anything, ends with the last bracket.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 2, fields[2] == "\(group)" else { return nil }
      return String(fields[0])
    }.sorted().joined()
  }

  private func group(_ running: Running) async throws -> pid_t {
    try await running.scratch.until("the command runs") { running.output.hasSuffix("\n") }
    return try #require(pid_t(running.output.split(separator: "\n")[0]))
  }

  @Test func `a signal is the command's, and so is what it makes of it`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting("agent-run", "--", "sh", "-c", Self.worker)
      let id = try await group(running)
      running.child.signal(SIGTERM)
      #expect(await running.ended().endings == [.exit(5)])
      #expect(running.output == "\(id)\nterm\n")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `a signal that ends the command ends us`(signal: Int32) async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "sh", "-c", "echo $$; exec sleep 600")
      let id = try await group(running)
      running.child.signal(signal)
      #expect(await running.ended().endings == [.signal(signal)])
      #expect(states(ofGroup: id) == "")
    }
  }

  @Test func `a second signal kills a command that does not end`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--", "sh", "-c", "trap '' TERM; echo $$; while :; do sleep 0.02; done")
      let id = try await group(running)
      // Signals within half a second are one wish. One that comes after the end of the command
      // would end agent-run itself.
      try await scratch.until("it is killed") {
        running.child.signal(SIGTERM)
        try await Task.sleep(for: .milliseconds(700))
        return running.errors != ""
      }
      #expect(await running.ended().endings == [.signal(SIGKILL)])
      #expect(running.errors == "agent-run: received a second signal: killing the command\n")
      #expect(states(ofGroup: id).filter { $0 != "Z" } == "")
    }
  }

  @Test func `the group ends when agent-run is killed`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--", "sh", "-c",
        "sleep 600 & trap '' TERM; echo $$; while :; do sleep 0.02; done")
      let id = try await group(running)
      #expect(states(ofGroup: id).count >= 2)
      running.child.signal(SIGKILL)
      #expect(await running.ended().endings == [.signal(SIGKILL)])
      try await scratch.until("the group is gone") {
        states(ofGroup: id).filter { $0 != "Z" } == ""
      }
    }
  }

  @Test func `a stopped agent-run lives, though its lease runs out, and a killed one does not`()
    async throws
  {
    try await Scratch.with { scratch in
      let running = try scratch.starting("agent-run", "--agent", "a", "--", "sleep", "600")
      try await scratch.until("it can be steered") {
        try Store(existingIn: scratch.directories)?.livingRunners().count == 1
      }
      let store = try #require(try Store(existingIn: scratch.directories))
      func living() throws -> Int { try store.livingRunners().count }
      // Before it stops: it may hold the lock of the database then.
      _ = try store.base.write { try $0.run("UPDATE runner SET leaseUntil = 1") }
      running.child.signal(SIGSTOP)
      #expect(try living() == 1)
      running.child.signal(SIGKILL)
      #expect(await running.ended().endings == [.signal(SIGKILL)])
      #expect(try living() == 0)
      // Its lease is of no use to it.
      let later = Timestamp.now.adding(seconds: 1000).milliseconds
      _ = try store.base.write { try $0.run("UPDATE runner SET leaseUntil = ?", [later]) }
      #expect(try living() == 0)
    }
  }

  @Test func `controls pause, resume and terminate the whole group`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--swarm", "s", "--agent", "a", "--", "sh", "-c",
        "sleep 600 & echo $$; wait; wait")
      let id = try await group(running)
      try await scratch.until("it can be steered") {
        try Store(existingIn: scratch.directories)?.livingRunners().count == 1
      }
      let paused = try await scratch.shell(
        "agent-control pause agent a --reason 'too fast' --wait 4m")
      #expect(paused.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      try await scratch.until("all are stopped") { states(ofGroup: id) == "TT" }
      let stat = try await scratch.shell("agent-stat agents")
      #expect(stat.records("agent").map(\.status) == ["paused"])
      let resumed = try await scratch.shell(
        "agent-control resume swarm s --reason 'go on' --wait 4m")
      #expect(resumed.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      #expect(!states(ofGroup: id).contains("T"))
      // Ended while it is paused: it has to go on for that.
      try await scratch.shell("agent-control pause agent a --reason 'again, please' --wait 4m")
      let ended = try await scratch.shell(
        "agent-control terminate agent a --reason 'no longer needed' --confirm TERMINATE --wait 4m")
      #expect(ended.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      #expect(states(ofGroup: id) == "")
      #expect(await running.ended().endings == [.signal(SIGTERM)])
      let last = try await scratch.shell("agent-stat agents")
      #expect(last.records("agent").map(\.status) == ["terminated"])
      let controls = try await scratch.shell("stream-tail --type control").records
      #expect(controls.map { $0["action"] } == ["pause", "resume", "pause", "terminate"])
      #expect(controls.allSatisfy { $0["outcome"] == "applied" && $0["agentId"] == "a" })
    }
  }

  @Test func `a command that waits for a child of vfork is paused as soon as the child runs`()
    async throws
  {
    try await Scratch.with { scratch in
      // The child opens the pipe before it calls execve, so that its parent waits for a writer.
      try scratch.write(
        "work/start.py",
        """
        import os
        os.mkfifo("go")
        print(os.getpid(), flush=True)
        opened = [(os.POSIX_SPAWN_OPEN, 0, "go", os.O_RDONLY, 0)]
        child = os.posix_spawn("/bin/sleep", ["sleep", "600"], os.environ, file_actions=opened)
        os.waitpid(child, 0)
        """)
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "python3", "start.py")
      let id = try await group(running)
      try await scratch.until("it waits for its child") {
        let runners = try Store(existingIn: scratch.directories)?.livingRunners()
        return runners?.count == 1 && states(ofGroup: id).contains("D")
      }
      let paused = try scratch.running("agent-control pause agent a --reason look --wait 4m")
      try await scratch.until("the signal waits for it") {
        // The signals that wait for the process, as proc(5) shows them.
        let status = FileManager.default.contents(atPath: "/proc/\(id)/status") ?? Data()
        let words = String(decoding: status, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let signals = words.drop { $0 != "ShdPnd:" }.dropFirst().first
        return (signals.flatMap { UInt64($0, radix: 16) } ?? 0) >> (SIGSTOP - 1) & 1 == 1
      }
      try await scratch.shell("echo >go")
      #expect(await paused.ended().records.map { $0["outcome"] } == ["applied"])
      try await scratch.until("all are stopped") { states(ofGroup: id) == "TT" }
      let resumed = try await scratch.shell("agent-control resume agent a --reason on --wait 4m")
      #expect(resumed.records.map { $0["outcome"] } == ["applied"])
      running.child.signal(SIGTERM)
      #expect(await running.ended().endings == [.signal(SIGTERM)])
    }
  }

  @Test func `a blocked reader blocks the command, not the heartbeat`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.running(
        "mkfifo go; agent-run --agent a --heartbeat 0.1s -- yes | { read -r line; read -r line <go; }"
      )
      try await scratch.until("the pipe is there") {
        access(scratch.path("work/go"), F_OK) == 0
      }
      var beats = 0
      while beats < 3 {
        let events = try await scratch.shell(
          "stream-tail --type traceEvent --match heartbeat\\\":true")
        beats = events.records.count
      }
      try await scratch.shell("echo go >go")
      #expect(await running.ended().statuses == [141, 0])
    }
  }

  @Test func `on a terminal the command sees one, as large as ours`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch,
        "stty rows 33 cols 77; agent-run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size <&1; echo done'"
      )
      let run = await terminal.running.ended()
      #expect(run.output == "33 77\r\ndone\r\n")
      let piped = try Terminal(
        scratch, "agent-run -- sh -c 'test -t 0 && ! test -t 1 && echo so' | cat")
      #expect(await piped.running.ended().output == "so\r\n")
    }
  }

  @Test func `control-C is the command's`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch,
        "agent-run -- sh -c 'trap \"echo got; exit 7\" INT; echo ready; while :; do sleep 0.02; done'; echo \"status $?\""
      )
      try await scratch.until("it runs") { terminal.text.contains("ready") }
      terminal.running.writer?.write("\u{3}")
      try await scratch.until("it ended") { terminal.text.contains("status 7") }
      #expect(terminal.text.contains("got\r\n"))
      let killed = try Terminal(
        scratch, "agent-run -- sh -c 'echo ready; exec sleep 600'; echo \"status $?\"")
      try await scratch.until("it runs") { killed.text.contains("ready") }
      killed.running.writer?.write("\u{3}")
      try await scratch.until("it ended") { killed.text.contains("status 130") }
    }
  }

  @Test func `control-Z stops the job and fg goes on with it`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch,
        "set -m; agent-run --agent a --heartbeat 1h -- sh -c 'echo ready; read -r x; echo \"got $x\"'; echo \"status $?\"; read -r y; fg; echo \"then $?\""
      )
      try await scratch.until("it runs") { terminal.text.contains("ready") }
      terminal.running.writer?.write("\u{1A}")
      // 128 and SIGTSTP or SIGSTOP.
      try await scratch.until("it is stopped") { terminal.text.contains("status 1") }
      #expect(terminal.text.contains("Stopped"))
      let stat = try await scratch.shell("agent-stat agents")
      #expect(stat.errors == "")
      #expect(stat.records("agent").map(\.status) == ["paused"])
      terminal.type("")
      terminal.type("hello")
      try await scratch.until("it ended") { terminal.text.contains("then 0") }
      #expect(terminal.text.contains("got hello\r\n"))
    }
  }

  @Test func `a stopped job keeps nobody waiting`() async throws {
    try await Scratch.with { scratch in
      for round in 1...8 {
        let terminal = try Terminal(
          scratch,
          "set -m; agent-run --agent a\(round) --heartbeat 1h -- sh -c 'echo ready; read -r x'; read -r y; fg; echo \"then $?\""
        )
        try await scratch.until("it runs") { terminal.text.contains("ready") }
        terminal.running.writer?.write("\u{1A}")
        try await scratch.until("it is stopped") { terminal.text.contains("Stopped") }
        // Both read and write what the job writes, too.
        let others = try await scratch.shell(
          "timeout 250 agent-stat agent a\(round); timeout 250 agent-run --agent b\(round) -- true")
        #expect(others.errors == "")
        #expect(others.records("agent").map(\.status) == ["paused"])
        terminal.type("")
        terminal.type("")
        try await scratch.until("it ended") { terminal.text.contains("then 0") }
      }
    }
  }

  @Test func `a command in a pipe may still ask at the terminal`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch,
        "set -m; agent-run -- sh -c 'echo ready; read -r x; echo \"got $x\"' | cat; echo ended")
      try await scratch.until("it runs") { terminal.text.contains("ready") }
      terminal.type("hello")
      try await scratch.until("it ended") { terminal.text.contains("ended") }
      #expect(terminal.text.contains("got hello\r\n"))
    }
  }

  @Test func `a command whose input is a pipe may ask at the terminal, too`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch,
        "set -m; echo piped | agent-run -- sh -c 'read -r a; echo ready; read -r b </dev/tty; echo \"$a $b\"'"
      )
      try await scratch.until("it runs") { terminal.text.contains("ready") }
      terminal.type("typed")
      try await scratch.until("it ended") { terminal.text.contains("piped typed\r\n") }
      await terminal.running.ended()
    }
  }

  @Test func `a signal that comes again is one wish when it comes at once`() async throws {
    try await Scratch.with { scratch in
      // timeout(1) sends its signal to the process, and then to its group; also one that it gets.
      let running = try scratch.running(
        [
          "timeout", "600", "agent-run", "--", "sh", "-c",
          "trap 'sleep 0.2; echo cleaned; exit 3' TERM; echo on; while :; do sleep 0.02; done",
        ], "timeout")
      try await scratch.until("it runs") { running.output == "on\n" }
      running.child.signal(SIGTERM)
      let run = await running.ended()
      #expect(run.output == "on\ncleaned\n" && !run.errors.contains("second signal"))
    }
  }
}

extension Scratch {
  /// Where the tools of the place keep things.
  fileprivate var directories: Directories { Directories(environment: environment) }
}
