import Foundation
import TestSupport
import Testing

/// tmux-attach with a network, a host or a reader that does what it should not.
@Suite("tmux-attach and faults")
struct TmuxFaultTests {
  /// Runs a test with a host that has one session, `agent-7`, and is trusted.
  private static func withHost(_ body: (Scratch, SSHHost) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      scratch.set("HOST", host.patientAddress)
      scratch.set("KEY", scratch.path("user_key"))
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await scratch.shell("tmux-attach trust $HOST")
        try await body(scratch, host)
      }
    }
  }

  /// Kilobytes of a process that are not of files.
  private static func anonymousMemory(_ process: pid_t) -> Int {
    let status = FileManager.default.contents(atPath: "/proc/\(process)/status")
    let line = String(decoding: status ?? Data(), as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }

  @Test func `a server that drips or chatters is given up in time, in little memory`() async throws
  {
    try await Scratch.with { scratch in
      for act in [
        "while True: c.sendall(b'S'); time.sleep(0.2)",
        "while True: c.sendall(b'welcome to this host\\r\\n' * 1000)",
        "c.sendall(b'SSH-2.0-x\\r\\n'); time.sleep(600)",
      ] {
        let program = """
          import socket, time
          s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
          print(s.getsockname()[1], flush=True)
          c, _ = s.accept()
          \(act)
          """
        let server = try scratch.running(["python3", "-c", program], "a server")
        try await scratch.until("it listens") { server.output.hasSuffix("\n") }
        let port = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let run = try scratch.running(
          ["tmux-attach", "list", "--timeout", "2s", "tester@127.0.0.1:\(port)"], "tmux-attach")
        var most = 0
        try await scratch.until("it gives up") {
          most = max(most, Self.anonymousMemory(run.child.id))
          return run.child.hasEnded
        }
        let ended = await run.ended()
        #expect(ended.records("error").first?["code"] == "SSHHostUnreachable", "\(act)")
        #expect(ended.statuses == [69])
        #expect(most < 16 << 10)
        server.child.signal(SIGKILL)
      }
    }
  }

  @Test func `a name that no session can have is nobody's`() async throws {
    try await Self.withHost { scratch, _ in
      for name in ["a\nb", "a\tb", "a:b", ""] {
        scratch.set("NAME", name)
        let made = try await scratch.shell("tmux-attach create -i $KEY $HOST \"$NAME\"")
        #expect(made.records("error").first?["code"] == "BadInput", "\(name)")
        #expect(made.statuses == [65])
        let killed = try await scratch.shell("tmux-attach kill -i $KEY $HOST \"$NAME\"")
        #expect(killed.records("error").first?["code"] == "TmuxSessionNotFound", "\(name)")
      }
      #expect(try scratch.tmux(["list-sessions", "-F", "#{session_name}"]) == "agent-7\n")
    }
  }

  @Test func `a network that is gone during a flood is waited for, and told once`() async throws {
    try await Self.withHost { scratch, host in
      let proxy = try await scratch.serveProxy(to: host.port)
      let address = "\(NSUserName())@127.0.0.1:\(proxy.port)"
      try await scratch.shell("tmux-attach trust \(address)")
      let watch = try scratch.running(
        "tmux-attach watch --keepalive 3s -i $KEY \(address) agent-7 >watched")
      func watched() -> String { scratch.read("work/watched") }
      try await scratch.until("it watches") { watched().contains("sessionChanged") }
      try scratch.type(
        "clear; echo it begins; read -r x; seq 1 600000; echo flood is over", into: "agent-7")
      try await scratch.until("it is told") { watched().contains("it begins\\r\\n") }
      proxy.child.signal(SIGSTOP)
      try scratch.type("", into: "agent-7")
      try await scratch.until("the flood is over") {
        try scratch.screen("agent-7").contains("flood is over")
      }
      try await scratch.until("the loss is told") { watch.errors.contains(": retrying") }
      proxy.child.signal(SIGCONT)
      try await scratch.until("it is connected again") { watched().contains("reconnected") }
      try scratch.type("echo back $((20 + 22))", into: "agent-7")
      try await scratch.until("what comes is told") { watched().contains("back 42") }
      // One that takes the output and one that keeps it coming.
      do {
        try await scratch.until("no client of before is left") {
          try scratch.tmux(["list-clients"]).split(separator: "\n").count == 2
        }
      } catch {
        let processes = try await scratch.shell("ps -eo pid,ppid,etimes,args | grep -E 'tmux|ssh'")
        Issue.record(
          "\(try scratch.tmux(["list-clients"])) \(watch.errors) \(watched()) \(processes.output)")
        throw error
      }
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      #expect(await watch.ended().statuses == [0])
      let events = Record.all(in: watched()).filter { $0.type == "terminalEvent" }.map {
        $0["event"]
      }
      #expect(events.count { $0 == "reconnected" } == 1)
      #expect(events.last == "exit")
    }
  }

  /// The clients that follow a session on the host, or those that only keep its output coming.
  private static func clients(_ scratch: Scratch, keeping: Bool) throws -> [pid_t] {
    try scratch.tmux(["list-clients", "-F", "#{client_pid} #{client_flags}"])
      .split(separator: "\n").filter { $0.contains("no-output") == keeping }
      .compactMap { $0.split(separator: " ").first.flatMap { pid_t($0) } }
  }

  @Test func `a client that is killed on the host is followed by another`() async throws {
    try await Self.withHost { scratch, _ in
      let watch = try scratch.running("tmux-attach watch -i $KEY $HOST agent-7 >watched")
      func watched() -> String { scratch.read("work/watched") }
      try await scratch.until("it watches") { watched().contains("sessionChanged") }
      let first = try #require(try Self.clients(scratch, keeping: false).first)
      kill(first, SIGKILL)
      try await scratch.until("the loss is told") { watch.errors.contains(": retrying") }
      try await scratch.until("it is connected again") { watched().contains("reconnected") }
      try scratch.type("echo back $((20 + 22))", into: "agent-7")
      try await scratch.until("what comes is told") { watched().contains("back 42") }
      let keeper = try #require(try Self.clients(scratch, keeping: true).first)
      kill(keeper, SIGKILL)
      try await scratch.until("another keeps the output coming") {
        let keepers = try Self.clients(scratch, keeping: true)
        return !keepers.isEmpty && !keepers.contains(keeper)
      }
      try scratch.type("echo still $((20 + 23))", into: "agent-7")
      try await scratch.until("what comes is told") { watched().contains("still 43") }
      #expect(try Self.clients(scratch, keeping: false).count == 1)
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      let run = await watch.ended()
      #expect(run.statuses == [0])
      #expect(run.errors.split(separator: "\n").count == 1)
      let events = Record.all(in: watched()).map { $0["event"] }
      #expect(events.count { $0 == "reconnected" } == 1)
      #expect(Record.all(in: watched()).last?["reason"] == "the session has ended")
    }
  }

  @Test func `a client that is killed before it has begun is a loss, too`() async throws {
    try await Self.withHost { scratch, _ in
      let mortal = try scratch.write(
        "bin/tmux-mortal",
        """
        #!/bin/sh
        case " $* " in *pause-after*) [ -e '\(scratch.path("lived"))' ] || {
          : >'\(scratch.path("lived"))'; kill -9 $$; } ;;
        esac
        exec tmux "$@"
        """, executable: true)
      let watch = try scratch.running(
        "tmux-attach watch --tmux-path '\(mortal)' -i $KEY $HOST agent-7")
      try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      let run = await watch.ended()
      #expect(run.statuses == [0], "\(run.errors)\n\(run.output)")
      #expect(run.errors.contains(": retrying"))
    }
  }

  @Test
  func
    `a reader that stops costs no memory, programs never wait for it, and what it missed is told`()
    async throws
  {
    try await Self.withHost { scratch, _ in
      let watch = try scratch.running(
        """
        mkfifo pipe gate
        { read -r line; echo "$line"; read -r line <gate; cat; } <pipe >watched &
        exec tmux-attach watch -i $KEY $HOST agent-7 >pipe
        """)
      try await scratch.until("it watches") { scratch.read("work/watched").hasSuffix("\n") }
      // The pause after a flood is what tmux measures its age by.
      try scratch.type(
        "clear; seq 1 600000; sleep 3; echo flood is ov''er", into: "agent-7")
      var most = 0
      try await scratch.until("the flood is over") {
        most = max(most, Self.anonymousMemory(watch.child.id))
        return try scratch.screen("agent-7").contains("flood is over\n")
      }
      #expect(most < 16 << 10)
      try await scratch.shell("echo >gate")
      // What lies on the way may hold all of it: then nothing is missing.
      func isTold() -> Bool {
        let watched = scratch.read("work/watched")
        return ["\"continue\"", "\"reconnected\"", "flood is over"].contains {
          watched.contains($0)
        }
      }
      try await scratch.until("what it missed is told, or all came") { isTold() }
      try scratch.type("echo back $((20 + 22))", into: "agent-7")
      try await scratch.until("what comes is told") {
        scratch.read("work/watched").contains("back 42")
      }
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      #expect(await watch.ended().statuses == [0])
      let events = Record.all(in: scratch.read("work/watched")).map { $0["event"] }
      #expect(events.contains("pause") || isTold())
    }
  }
}
