import Foundation
import Testing

/// tmux-attach against servers that are not OpenSSH's.
@Suite("tmux-attach and other servers")
struct OtherServerTests {
  private static let needsPython: ConditionTrait = .enabled(
    if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with asyncssh and ssh-audit")

  /// Makes a key and a tmux with the session `agent-7` on this machine, where the servers run commands.
  private static func withSession(_ body: (Scratch) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      scratch.set("TMUX_TMPDIR", scratch.path("work"))
      scratch.set("KEY", scratch.path("user_key"))
      try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f \"$KEY\"")
      try await scratch.shell("tmux -f /dev/null new-session -d -s agent-7 -x 200 -y 50 cat")
      do {
        try await body(scratch)
      } catch {
        try await scratch.shell("tmux kill-server")
        throw error
      }
      try await scratch.shell("tmux kill-server")
    }
  }

  private static func server(_ scratch: Scratch, _ options: String...) async throws -> Server {
    try await Server(
      scratch, "ssh_server.py", ["--keys", scratch.path("user_key.pub")] + options, log: "ssh.log",
      python: Places.python ?? "python3")
  }

  @Test(needsPython) func `asyncssh lists, shows and follows`() async throws {
    try await Self.withSession { scratch in
      // Its commands get the environment of the tests, so that this tmux is named.
      let server = try await Self.server(scratch)
      scratch.set("HOST", "tester@127.0.0.1:\(server.port)")
      let tmux = try scratch.write(
        "bin/tmux-here",
        "#!/bin/sh\nTMUX_TMPDIR='\(scratch.path("work"))' exec tmux \"$@\"\n", executable: true)
      scratch.set("TMUX_HERE", tmux)
      let listed = try await scratch.shell(
        "tmux-attach list -i $KEY $HOST --tmux-path $TMUX_HERE | jq -r .name")
      #expect(listed.output == "agent-7\n")
      let watch = try scratch.running(
        "tmux-attach watch -i $KEY $HOST agent-7 --tmux-path $TMUX_HERE")
      try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
      try await scratch.shell("tmux send-keys -t agent-7 -l hello")
      try await scratch.until("it is told") { watch.output.contains("hello") }
      let snapshot = try await scratch.shell(
        "tmux-attach snapshot -i $KEY $HOST agent-7 --tmux-path $TMUX_HERE | jq -r .text | head -n 1"
      )
      #expect(snapshot.output == "hello\n")
      try await scratch.shell("tmux kill-session -t agent-7")
      #expect(await watch.ended().statuses == [0])
    }
  }

  @Test(needsPython) func `asyncssh with another key is refused`() async throws {
    try await Self.withSession { scratch in
      let server = try await Self.server(scratch)
      let key = try await scratch.shell("ssh-keygen -y -f $KEY | cut -d ' ' -f 1,2")
      try scratch.write(
        "home/data/known_hosts", "[127.0.0.1]:\(server.port) \(key.output)")
      let run = try await scratch.shell("tmux-attach list -i $KEY tester@127.0.0.1:\(server.port)")
      #expect(run.records("error").first?["kind"] == "changed")
      #expect(run.statuses == [77])
    }
  }

  @Test func `dropbear shows its key and says which login it wants`() async throws {
    try await Self.withSession { scratch in
      try await scratch.shell("dropbearkey -t ed25519 -f \"$HOME/dropbear\"")
      var port = 0
      var server: Running?
      for _ in 0..<10 where server == nil {
        port = SSHHost.freePort()
        let started = try scratch.running(
          [
            "dropbear", "-F", "-E", "-m", "-w", "-s", "-p", "127.0.0.1:\(port)", "-r",
            scratch.path("user/dropbear"), "-P", scratch.path("work/dropbear.pid"),
          ], "dropbear")
        try await scratch.until("it listens or has ended") {
          started.errors.contains("Not backgrounding") || started.errors.contains("Failed")
        }
        if !started.errors.contains("Failed listening") { server = started }
      }
      scratch.set("HOST", "tester@127.0.0.1:\(port)")
      let trusted = try await scratch.shell("tmux-attach trust $HOST")
      #expect(trusted.records("hostKey").first?.status == "added")
      let fingerprint = try await scratch.shell(
        "dropbearkey -y -f \"$HOME/dropbear\" | grep ^ssh-ed25519 >\"$HOME/dropbear.pub\"; "
          + "ssh-keygen -l -f \"$HOME/dropbear.pub\" | cut -d ' ' -f 2")
      #expect(
        fingerprint.output == (trusted.records("hostKey").first?["fingerprint"] ?? "") + "\n")
      let run = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(run.records("error").first?["code"] == "SSHAuthFailed")
      #expect(run.statuses == [77])
      server?.child.signal(SIGTERM)
    }
  }

  @Test(needsPython) func `an audit finds nothing weak in what is offered`() async throws {
    try await Scratch.with { scratch in
      let port = SSHHost.freePort()
      let audit = try scratch.running(
        [Places.python ?? "python3", "-m", "ssh_audit.ssh_audit", "-c", "-j", "-p", "\(port)"],
        "ssh-audit")
      // It takes one connection; until it listens, there is none.
      try await scratch.until("it was connected to") {
        audit.output.hasSuffix("}\n") || audit.output.hasSuffix("}")
          || !audit.errors.isEmpty || kill(audit.child.id, 0) != 0 || Self.connects(port)
      }
      let run = try await scratch.shell("tmux-attach list --timeout 5s tester@127.0.0.1:\(port)")
      #expect(run.statuses != [0])
      try await scratch.until("it has judged") { audit.output.contains("\"kex\"") }
      #expect(audit.output.contains("kex-strict-c-v00@openssh.com"))
      #expect(!audit.output.contains("\"fail\""))
      audit.child.signal(SIGTERM)
    }
  }

  /// Whether something listens, by what the system tells of sockets, so that nobody is connected to.
  private static func connects(_ port: Int) -> Bool {
    let wanted = ":" + String(port, radix: 16, uppercase: true)
    return ["/proc/net/tcp", "/proc/net/tcp6"].contains { path in
      let lines = FileManager.default.contents(atPath: path).map {
        String(decoding: $0, as: UTF8.self)
      }
      return (lines ?? "").split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        return fields.count > 3 && fields[1].hasSuffix(wanted) && fields[3] == "0A"
      }
    }
  }
}
