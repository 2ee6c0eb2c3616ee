import Foundation
import TestSupport
import Testing

/// tmux-attach against servers that are not OpenSSH's.
@Suite("tmux-attach and other servers")
struct OtherServerTests {
  private static let needsPython: ConditionTrait = .enabled(
    if: Places.python != nil, "AGENTPIPES_PYTHON names no Python with asyncssh and ssh-audit")

  private static let needsOne: ConditionTrait = .enabled(
    if: !Program.there.isEmpty, "there is neither asyncssh nor nss_wrapper for dropbear")

  /// A program that serves SSH.
  enum Program: String, CaseIterable, CustomTestStringConvertible {
    case asyncssh
    case dropbear

    var testDescription: String { rawValue }

    /// Those that can be run here.
    static let there = allCases.filter(\.isThere)

    /// Whether it can be run here, where the tests give it a user of their own.
    var isThere: Bool {
      switch self {
      case .asyncssh: Places.python != nil
      case .dropbear: OtherServerTests.nameWrapper != nil
      }
    }
  }

  /// The library that gives a process another list of users (nss_wrapper(1)).
  private static let nameWrapper = ["x86_64", "aarch64"]
    .map { "/usr/lib/\($0)-linux-gnu/libnss_wrapper.so" }
    .first { FileManager.default.fileExists(atPath: $0) }

  /// Runs a test with a server, a tmux with the session `agent-7`, and a key that is let in.
  ///
  /// `KEY` and `HOST` name the key and the server; `tmux-here` is the tmux, as these servers give
  /// their commands an environment of their own.
  private static func serving(
    _ program: Program, _ body: (Scratch, Int) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      scratch.set("TMUX_TMPDIR", scratch.path("work"))
      scratch.set("KEY", scratch.path("user_key"))
      try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f \"$KEY\"")
      scratch.set(
        "TMUX_HERE",
        try scratch.write(
          "bin/tmux-here",
          "#!/bin/sh\nTMUX_TMPDIR='\(scratch.path("work"))' exec tmux \"$@\"\n", executable: true))
      let port = try await start(program, scratch)
      scratch.set("HOST", "tester@127.0.0.1:\(port) \(SSHHost.patience)")
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await body(scratch, port)
      }
    }
  }

  /// Starts one more server, with a key of its own.
  ///
  /// - Returns: Its port.
  private static func start(_ program: Program, _ scratch: Scratch) async throws -> Int {
    switch program {
    case .asyncssh:
      return try await Server(
        scratch, "ssh_server.py", ["--keys", scratch.path("user_key.pub")], log: "ssh.log",
        python: Places.python ?? "python3"
      ).port
    case .dropbear:
      let folder = "dropbear.\(SSHHost.freePort())"
      let home = scratch.path(folder)
      try scratch.write("\(folder)/.ssh/authorized_keys", scratch.read("user_key.pub"))
      try scratch.write(
        "\(folder)/passwd", "tester:x:\(geteuid()):\(getegid())::\(home):/bin/sh\n")
      try scratch.write("\(folder)/group", "tester:x:\(getegid()):\n")
      try await scratch.shell("dropbearkey -t ed25519 -f '\(home)/key'")
      for _ in 0..<10 {
        let port = SSHHost.freePort()
        let started = try scratch.running(
          [
            "env", "LD_PRELOAD=\(nameWrapper ?? "")", "NSS_WRAPPER_PASSWD=\(home)/passwd",
            "NSS_WRAPPER_GROUP=\(home)/group", "dropbear", "-F", "-E", "-m", "-s", "-p",
            "127.0.0.1:\(port)", "-r", "\(home)/key", "-P", "\(home)/pid",
          ], "dropbear")
        try await scratch.until("it listens or has ended") {
          started.errors.contains("Not backgrounding") || started.errors.contains("Failed")
            || started.child.hasEnded
        }
        if !started.errors.contains("Failed") { return port }
      }
      throw Server.DidNotStart()
    }
  }

  @Test(Self.needsOne, arguments: Program.there)
  func `sessions of another server are listed, made, shown, followed and ended`(
    program: Program
  ) async throws {
    try await Self.serving(program) { scratch, port in
      let trusted = try await scratch.shell("tmux-attach trust $HOST")
      #expect(trusted.records("hostKey").first?.status == "added")
      let options = "-i $KEY $HOST --tmux-path $TMUX_HERE"
      let made = try await scratch.shell("tmux-attach create \(options) other --size 90x30 -- cat")
      #expect(made.records("terminalSession").first?["name"] == "other")
      let listed = try await scratch.shell("tmux-attach list \(options) | jq -r .name")
      #expect(listed.output == "agent-7\nother\n")
      #expect(try await scratch.shell("tmux-attach kill \(options) other").statuses == [0])
      let gone = try await scratch.shell("tmux-attach snapshot \(options) other")
      #expect(gone.records("error").first?["code"] == "TmuxSessionNotFound", "\(gone.errors)")
      let watch = try scratch.running("tmux-attach watch \(options) agent-7")
      try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
      try scratch.type("clear; echo $((20 + 22))", into: "agent-7")
      try await scratch.until("it is told") { watch.output.contains("42") }
      try await scratch.until("it is shown") { try scratch.screen("agent-7").hasPrefix("42") }
      let snapshot = try await scratch.shell(
        "tmux-attach snapshot \(options) agent-7 | jq -r .text | head -n 1")
      #expect(snapshot.output == "42\n")
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      let ended = await watch.ended()
      #expect(ended.errors == "")
      #expect(ended.statuses == [0], "\(ended.output)")
    }
  }

  @Test(Self.needsOne, arguments: Program.there)
  func `another server is not trusted with another key, and lets nobody else in`(
    program: Program
  ) async throws {
    try await Self.serving(program) { scratch, port in
      try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f \"$HOME/other\"")
      let wrong = try await scratch.shell("tmux-attach list -i $HOME/other $HOST")
      #expect(wrong.records("error").first?["code"] == "SSHAuthFailed")
      #expect(wrong.statuses == [77])
      let key = scratch.read("user/other.pub").split(separator: " ").prefix(2).joined(
        separator: " ")
      try scratch.write("home/data/known_hosts", "[127.0.0.1]:\(port) \(key)\n")
      let changed = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(changed.records("error").first?["kind"] == "changed")
      #expect(changed.statuses == [77])
    }
  }

  @Test(Self.needsOne, arguments: Program.there)
  func `a terminal of another server is shown, resized, and shown again after a cut`(
    program: Program
  ) async throws {
    try await Self.serving(program) { scratch, port in
      let proxy = try await scratch.serveProxy(to: port)
      let host = "tester@127.0.0.1:\(proxy.port)"
      try await scratch.shell("tmux-attach trust \(host)")
      func command(_ options: String) -> String {
        "tmux-attach --timings \(SSHHost.patience) -i '\(scratch.path("user_key"))' --tmux-path '\(scratch.path("bin/tmux-here"))' \(options) \(host) agent-7"
      }
      try await ScreenTerminal.with(scratch, columns: 220, lines: 60) { terminal in
        try terminal.type(command(""))
        try await scratch.until("it is attached") { try scratch.tmux(["list-clients"]) != "" }
        try scratch.type("clear; echo as it is", into: "agent-7")
        try await terminal.until("as it is")
        #expect(try scratch.windowSize("agent-7") == "200x50")
        proxy.child.signal(SIGUSR1)
        try scratch.type("clear; echo back again", into: "agent-7")
        try await terminal.until("back again")
        try await scratch.until("one client is left") {
          try scratch.tmux(["list-clients"]).split(separator: "\n").count == 1
        }
        #expect(try await terminal.leave().contains("tmux-attach: sent 0 bytes of input"))
        #expect(try scratch.windowSize("agent-7") == "200x50")
      }
      try await ScreenTerminal.with(scratch, columns: 90, lines: 30) { terminal in
        try terminal.type(command("--fit"))
        try await scratch.until("agent-7", has: "90x29")
        try terminal.resize(columns: 100, lines: 40)
        try await scratch.until("agent-7", has: "100x39")
        _ = try await terminal.leave()
      }
    }
  }

  @Test(Self.needsOne, arguments: Program.there)
  func `a host is reached through another server`(program: Program) async throws {
    try await Self.serving(program) { scratch, port in
      let other = try await Self.start(program, scratch)
      let listed = try await scratch.shell(
        "tmux-attach list -i $KEY -J $HOST tester@127.0.0.1:\(other) --tmux-path $TMUX_HERE | jq -r .name"
      )
      #expect(listed.output == "agent-7\n")
      let known = scratch.read("home/data/known_hosts").split(separator: "\n")
      #expect(
        known.map { $0.prefix { $0 != " " } } == ["[127.0.0.1]:\(port)", "[127.0.0.1]:\(other)"])
    }
  }

  @Test(needsPython) func `an audit finds nothing weak in what is offered`() async throws {
    try await Scratch.with { scratch in
      var audit: Running?
      var port = 0
      // It ends where the port was taken meanwhile.
      for _ in 0..<10 where audit == nil {
        port = SSHHost.freePort()
        let started = try scratch.running(
          [
            Places.python ?? "python3", "-u", "-m", "ssh_audit.ssh_audit", "-c", "-j", "-t", "110",
            "-p", "\(port)",
          ], "ssh-audit")
        // It takes one connection; until it listens, there is none.
        try await scratch.until("it listens or has ended") {
          started.child.hasEnded || Self.isListened(port)
        }
        if !started.child.hasEnded { audit = started }
      }
      let run = try await scratch.shell("tmux-attach list --timeout 100s tester@127.0.0.1:\(port)")
      #expect(run.statuses != [0])
      let judged = try #require(await audit?.ended())
      #expect(judged.output.contains("\"kex\""), "\(judged.output) \(judged.errors)")
      #expect(judged.output.contains("kex-strict-c-v00@openssh.com"))
      #expect(!judged.output.contains("\"fail\""))
    }
  }

  /// Whether something listens, by what the system tells of sockets, so that nobody is connected to.
  private static func isListened(_ port: Int) -> Bool {
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
