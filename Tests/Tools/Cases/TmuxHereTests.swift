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
        let shown = try await scratch.shell("tmux-attach snapshot agent-7")
        #expect(shown.records("terminalSnapshot").map { $0["width"] } == ["60"])
        for line in ["snapshot agent-8", "snapshot build@box", "snapshot box.example.org"] {
          let run = try await scratch.shell("tmux-attach \(line)")
          #expect(run.statuses == [69])
          #expect(run.errors.contains(": the session of a host is named behind the host"))
        }
        for line in ["watch agent-7", "agent-7 --fit", "agent-7 --enable-input", "kill agent-7"] {
          #expect(try await scratch.shell("tmux-attach \(line)").statuses == [64])
        }
      }
    }
  }
}
