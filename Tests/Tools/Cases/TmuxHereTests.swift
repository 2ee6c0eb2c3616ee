import Foundation
import TestSupport
import Testing

/// Sessions of this machine, which take no SSH server.
@Suite("tmux-attach on this machine", .serialized)
struct TmuxHereTests {
  @Test func `a session of this machine is shown, followed, and left as it was`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7", columns: 60, lines: 12)
        try await ScreenTerminal.with(scratch, columns: 100, lines: 30) { terminal in
          try scratch.type("echo one", into: "agent-7")
          try terminal.type("unset TMUX; tmux-attach agent-7; echo it was left with $?")
          try await scratch.until("it is shown") {
            try terminal.shown().contains { $0.contains("one") }
          }
          try scratch.type("echo two", into: "agent-7")
          try await scratch.until("it is followed") {
            try terminal.shown().contains { $0.contains("two") }
          }
          #expect(try scratch.tmux(["list-clients"]).isEmpty)
          #expect(try scratch.windowSize("agent-7") == "60x12")
          try terminal.type("echo typed")
          try terminal.press("C-]")
          try await scratch.until("it is left") {
            try terminal.shown().contains { $0.contains("it was left with 0") }
          }
          #expect(try !scratch.screen("agent-7").contains("typed"))
          try terminal.type("clear; tmux-attach agent-7; echo it was left again with $?")
          try await scratch.until("it says how to leave") {
            try terminal.shown().contains(" read-only, Ctrl-] or q leaves")
          }
          try terminal.press("q")
          try await scratch.until("it is left again") {
            try terminal.shown().contains { $0.contains("it was left again with 0") }
          }
          try terminal.type("clear; tmux-attach agent-7; echo it ended with $?")
          try await scratch.until("it is shown again") {
            try terminal.shown().contains { $0.contains("two") }
          }
          try scratch.tmux(["kill-session", "-t", "=agent-7:"])
          try await scratch.until("it has ended") {
            try terminal.shown().contains { $0.contains("it ended with 0") }
          }
        }
      }
    }
  }

  @Test func `a snapshot of it is taken, and what is none is told`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7", columns: 60, lines: 5)
        let listed = try await scratch.shell("tmux-attach list")
        #expect(listed.statuses == [0])
        #expect(listed.records.map { $0["name"] } == ["agent-7"])
        let shown = try await scratch.shell("tmux-attach snapshot agent-7")
        #expect(shown.records("terminalSnapshot").map { $0["width"] } == ["60"])
        for line in [
          "snapshot agent-8", "snapshot build@box", "snapshot box.example.org", "watch agent-8",
          "watch build@box",
        ] {
          let run = try await scratch.shell("tmux-attach \(line)")
          #expect(run.statuses == [69])
          #expect(run.errors.contains("; to name a host, put it before the session"))
        }
        for line in ["agent-7 --fit", "agent-7 --enable-input", "kill agent-7"] {
          #expect(try await scratch.shell("tmux-attach \(line)").statuses == [64])
        }
      }
    }
  }

  @Test func `what a session of it prints is followed, and its programs never wait`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        let watch = try scratch.running("tmux-attach watch agent-7 >watched")
        func watched() -> String { scratch.read("work/watched") }
        func clients() throws -> [Substring] {
          try scratch.tmux(["list-clients", "-F", "#{client_pid} #{client_flags}"])
            .split(separator: "\n")
        }
        try await scratch.until("it watches") { watched().contains("sessionChanged") }
        #expect(try clients().allSatisfy { $0.contains("read-only") })
        try scratch.type("echo one $((20 + 22))", into: "agent-7")
        try await scratch.until("it is told") { watched().contains("one 42") }
        let first = try #require(try clients().first { !$0.contains("no-output") })
        kill(try #require(pid_t(first.prefix { $0 != " " })), SIGKILL)
        try await scratch.until("another follows") { watched().contains("reconnected") }
        try scratch.type("echo two $((20 + 23))", into: "agent-7")
        try await scratch.until("it is told") { watched().contains("two 43") }
        #expect(try scratch.windowSize("agent-7") == "200x50")
        try scratch.tmux(["kill-session", "-t", "=agent-7:"])
        let run = await watch.ended()
        #expect(run.statuses == [0])
        #expect(run.errors.split(separator: "\n").count == 1)
        let last = Record.all(in: watched()).last
        #expect(last?["reason"] == "the session has ended")
      }
    }
  }

  @Test func `an agent of this machine is watched, and no client of it stays`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try scratch.type(
          "agent-run --agent builder -- sh -c 'read -r x; echo at work $x; read -r x'",
          into: "agent-7")
        try await scratch.shell(
          "until agent-stat agent builder 2>&1 | grep -q '\"status\":\"running\"'; do sleep 0.05; done"
        )
        let watch = try scratch.starting("tmux-attach watch --agent builder")
        try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
        try scratch.type("again", into: "agent-7")
        try await scratch.until("it is told") { watch.output.contains("at work again") }
        watch.child.signal(SIGTERM)
        #expect(await watch.ended().endings == [.signal(SIGTERM)])
        try await scratch.until("no client is left") { try scratch.tmux(["list-clients"]).isEmpty }
      }
    }
  }

  @Test func `looking at a session of it is confirmed where that is wanted`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try scratch.write(
          "home/config/config.toml",
          "confirm_command = [\"false\"]\n[terminal]\nconfirm = \"always\"\n")
        for verb in ["snapshot", "watch"] {
          let run = try await scratch.shell("tmux-attach \(verb) agent-7")
          #expect(run.records("error").first?["kind"] == "notConfirmed", "\(verb)")
        }
      }
    }
  }
}
