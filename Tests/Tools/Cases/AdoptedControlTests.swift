import Foundation
import TestSupport
import Testing

/// A control group of this test; nil where none can be made.
private let ownGroup: String? = {
  guard let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
    return nil
  }
  let mounts = text.split(separator: "\n").map { $0.split(separator: " ") }
  guard let mount = mounts.first(where: { $0.count > 6 && $0.contains("cgroup2") })?[4] else {
    return nil
  }
  let folder = "\(mount)/agentpipes-test-\(getpid())"
  guard mkdir(folder, 0o755) == 0 else { return nil }
  defer { rmdir(folder) }
  return access(folder + "/cgroup.freeze", W_OK) == 0 ? folder : nil
}()

/// Controls that reach only the agent, and whose outcome is what happened.
@Suite("controls of adopted sessions")
struct AdoptedControlTests {
  private static let session = "3f9a0000-0000-4000-8000-000000000001"
  private static let agent = "claude-3f9a0000-0000-4000-8000-000000000001"
  private static let pause = "agent-control pause agent claude-3f9a --reason r --wait 2m"

  private func follow(_ scratch: Scratch, _ options: String...) throws -> Running {
    try scratch.starting(
      (["agent-adopt", "--follow"] + options).joined(separator: " "), input: nil)
  }

  private func stop(_ follower: Running) async {
    follower.child.signal(SIGTERM)
    await follower.ended()
  }

  private func status(_ scratch: Scratch) async throws -> [String] {
    try await scratch.shell("agent-stat agents").records.map(\.status)
  }

  /// The id of the process that the registry names.
  private func registered(_ scratch: Scratch) throws -> pid_t {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scratch.path("user/.claude/sessions"))
    return try #require(names.compactMap { pid_t($0.dropLast(5)) }.first)
  }

  private func state(_ child: pid_t) throws -> Character {
    let text = try String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    let rest = text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...]
    return rest.first { $0 != " " } ?? "?"
  }

  @Test func `a pause that does not last is refused, and says how it would`() async throws {
    try await Scratch.with { scratch in
      scratch.set("STANDIN_CONTINUES", "1")
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt")
      let follower = try follow(scratch)
      let words = "continues it at once: start it from a shell in its pane"
      try await scratch.until("it refuses") {
        let paused = try await scratch.shell(Self.pause)
        return paused.statuses == [1] && paused.errors.contains(words)
          && paused.records("controlReceipt").map { $0["outcome"] } == ["refused"]
      }
      try await scratch.until("it runs") { try state(registered(scratch)) != "T" }
      try await scratch.until("it is shown so") { try await status(scratch) == ["running"] }
      await stop(follower)
      await standIn.end()
    }
  }

  @Test(.enabled(if: ownGroup != nil, "no control group can be made here"))
  func `a process that does not stay stopped is frozen with its own control group`() async throws {
    let group = try #require(ownGroup) + "-frozen"
    try #require(mkdir(group, 0o755) == 0)
    try await Scratch.with { scratch in
      scratch.set("STANDIN_CONTINUES", "1")
      let standIn = try await StandIn(scratch, "claude", Self.session)
      let id = try registered(scratch)
      try await scratch.shell("echo \(id) > \(group)/cgroup.procs")
      try await standIn.run("prompt")
      let follower = try follow(scratch)
      try await scratch.until("it is paused") {
        try await scratch.shell(Self.pause).statuses == [0]
      }
      let events = try String(contentsOfFile: group + "/cgroup.events", encoding: .utf8)
      #expect(events.contains("frozen 1"))
      #expect(try await status(scratch) == ["paused"])
      let resumed = try await scratch.shell(
        "agent-control resume agent claude-3f9a --reason r --wait 2m")
      #expect(resumed.statuses == [0])
      try await standIn.run("say a")
      // Another process in the group is none of the agent's.
      let other = try scratch.running("exec sleep 600", input: nil)
      try await scratch.shell("echo \(other.child.id) > \(group)/cgroup.procs")
      #expect(try await scratch.shell(Self.pause).statuses == [1])
      other.child.signal(SIGKILL)
      await other.ended()
      await stop(follower)
      await standIn.end()
    }
    rmdir(group)
  }

  @Test(arguments: ["pause", "terminate"])
  func `a registry that names another program reaches no process`(_ action: String) async throws {
    try await Scratch.with { scratch in
      let now = ISO8601DateFormatter().string(from: .now)
      try scratch.write(
        "user/.claude/projects/-w/s1.jsonl",
        #"{"type":"user","sessionId":"s1","cwd":"\#(scratch.path("work"))","timestamp":"\#(now)","message":{"content":"x"}}"#
          + "\n")
      let sleeper = try scratch.running("exec sleep 600", input: nil)
      let forge = """
        mkdir -p ~/.claude/sessions; p=\(sleeper.child.id)
        start=$(sed 's/.*) //' /proc/$p/stat | cut -d' ' -f20)
        printf '{"pid":%s,"procStart":"%s","sessionId":"s1","cwd":"%s","status":"busy"}' $p $start "$PWD" > ~/.claude/sessions/$p.json
        """
      try await scratch.shell(forge.split(separator: "\n").joined(separator: "; "))
      let follower = try follow(scratch)
      try await scratch.until("it is there") { try await status(scratch) == ["running"] }
      let words = action == "terminate" ? " --confirm TERMINATE" : ""
      let sent = try await scratch.shell(
        "agent-control \(action) agent claude-s1 --reason r --wait 5s\(words)")
      #expect(sent.statuses != [0])
      #expect(try state(sleeper.child.id) == "S")
      let labels = try await scratch.shell("agent-stat agents").records
      #expect(labels.map { $0["labels.process"] } == ["none"])
      await stop(follower)
      sleeper.child.signal(SIGKILL)
      await sleeper.ended()
    }
  }

  @Test func `a process in another folder than its session refuses`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "folder /elsewhere")
      let follower = try follow(scratch)
      try await scratch.until("it refuses") {
        let paused = try await scratch.shell(Self.pause)
        return paused.statuses == [1] && paused.errors.contains("works in another folder")
      }
      #expect(try state(standIn.running.child.id) != "T")
      await stop(follower)
      await standIn.end()
    }
  }

  @Test func `a session that left the registry has ended, whoever else runs in its folder`()
    async throws
  {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      let other = try await StandIn(scratch, "claude", "other")
      try await standIn.run("prompt", "say a")
      let follower = try follow(scratch)
      try await scratch.until("it is there") { try await status(scratch) == ["running"] }
      try await standIn.run("leave")
      try await scratch.until("it has ended") { try await status(scratch) == ["finished"] }
      let labels = try await scratch.shell("stream-tail | jq -r '.labels.process // empty'")
      #expect(!labels.output.contains("guess"))
      await stop(follower)
      await other.end()
      await standIn.end()
    }
  }

  @Test func `a turn of Codex that ended in a terminal waits for a prompt`() async throws {
    try await Scratch.with { scratch in
      let id = "01970000-0000-7000-8000-0000000000aa"
      let standIn = try await StandIn(scratch, "codex", id, onTerminal: true)
      try await standIn.run("prompt", "tool a", "result a")
      let follower = try follow(scratch, "codex")
      try await scratch.until("it works") { try await status(scratch) == ["running"] }
      try await standIn.run("say b")
      try await scratch.until("it waits") { try await status(scratch) == ["waiting"] }
      let waiting = try await scratch.shell("agent-stat agents").records
      #expect(waiting.map { $0["waitingFor"] } == ["prompt"])
      try await standIn.run("prompt")
      try await scratch.until("it works again") { try await status(scratch) == ["running"] }
      await stop(follower)
      await standIn.end()
    }
  }

  @Test func `a pause of a threshold reaches an agent as soon as it can be reached`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt")
      try await scratch.shell("agent-control threshold swarmAgents s 1 --then pause")
      try await scratch.shell("agent-adopt --swarm s")
      try await scratch.until("the pause reaches nobody") {
        try await scratch.shell("agent-stat agents >/dev/null; agent-stat audit").records.contains {
          $0["actor"] == "threshold" && $0["outcome"] == "unreachable"
        }
      }
      let follower = try follow(scratch, "--swarm", "s")
      try await scratch.until("it is paused") { try await status(scratch) == ["paused"] }
      #expect(try state(standIn.running.child.id) == "T")
      // A person decides otherwise.
      let resumed = try await scratch.shell(
        "agent-control resume agent claude-3f9a --reason r --wait 2m")
      #expect(resumed.statuses == [0])
      try await standIn.run("say a")
      let audit = try await scratch.shell("agent-stat audit").records
      #expect(
        audit.filter { $0["actor"] == "threshold" }.map { $0["outcome"] }
          == ["unreachable", "accepted", "applied"])
      await stop(follower)
      await standIn.end()
    }
  }

  @Test func `a command of agent-run that another process continues is not paused`() async throws {
    let script = """
      import os, signal, time
      command = os.getpid()
      if os.fork() == 0:
          os.setsid()
          print("ready", flush=True)
          while True:
              state = open(f"/proc/{command}/stat").read().rsplit(")", 1)[1].split()[0]
              if state == "T":
                  os.kill(command, signal.SIGCONT)
              time.sleep(0.01)
      time.sleep(600)
      """
    try await Scratch.with { scratch in
      try scratch.write("work/agent.py", script)
      let agent = try scratch.starting("agent-run", "--agent", "a", "--", "python3", "agent.py")
      try await scratch.until("it is ready") { agent.output.contains("ready") }
      let paused = try await scratch.shell("agent-control pause agent a --reason r --wait 2m")
      #expect(paused.statuses == [1])
      #expect(paused.errors.contains("another process continued it at once"), "\(paused.errors)")
      #expect(paused.records("controlReceipt").map { $0["outcome"] } == ["refused"])
      #expect(try await status(scratch) == ["running"])
      try await scratch.shell(
        "agent-control terminate agent a --reason x --confirm TERMINATE --wait 2m")
      await agent.ended()
    }
  }
}
