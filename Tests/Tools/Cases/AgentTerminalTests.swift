import Foundation
import TestSupport
import Testing

/// How agent-run leaves the terminal.
@Suite("agent-run and its terminal")
struct AgentTerminalTests {
  /// What a command may leave behind: its own modes, and those of the screen.
  private static let modes = """
    stty raw -echo; printf '\\033[?1049h\\033[?1003h\\033[?25l\\033[2h\\033[4h\\033[?7l\\033[>4;2m'; \
    printf '\\033[5 q\\033[3;9r\\033[1;31m\\033=\\033(0\\016is on' >&2;
    """

  private static func expectAsItWas(
    _ terminal: HeldTerminal, _ ending: Ending, _ how: String
  ) async throws {
    let report = try await terminal.ended()
    let judge = try TerminalJudge(terminal.text)
    #expect(report.ending == ending, "\(how)")
    #expect(report.isSame, "\(how): the terminal's own modes")
    #expect(judge.tookScreen, "\(how)")
    #expect(judge.leftovers == [], "\(how)")
  }

  private static func start(_ scratch: Scratch, _ rest: String) throws -> HeldTerminal {
    try HeldTerminal(
      scratch, ["\(Places.tools)/agent-run", "--", "sh", "-c", "ulimit -c 0; " + modes + rest])
  }

  @Test func `however it ends, but for SIGKILL, the terminal is as it was`() async throws {
    try await Scratch.with { scratch in
      // What Swift has to say of a crash that is asked for is not.
      scratch.set("SWIFT_BACKTRACE", "enable=no")
      try await Self.expectAsItWas(try Self.start(scratch, "exit 3"), .exit(3), "by itself")
      let signals = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
        SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
      ]
      for signal in signals {
        let terminal = try Self.start(scratch, "exec sleep 600")
        try await terminal.until("is on")
        terminal.signal(signal)
        try await Self.expectAsItWas(terminal, .signal(signal), "by signal \(signal)")
      }
    }
  }

  @Test func `SIGQUIT opens no backtracer`() async throws {
    try await Scratch.with { scratch in
      scratch.set("SWIFT_BACKTRACE", "enable=yes,interactive=yes")
      let terminal = try Self.start(scratch, "exec sleep 600")
      try await terminal.until("is on")
      terminal.signal(SIGQUIT)
      try await Self.expectAsItWas(terminal, .signal(SIGQUIT), "by SIGQUIT")
      #expect(!terminal.text.contains("rash") && !terminal.text.contains("Backtrac"))
    }
  }

  @Test func `a killed command leaves the terminal as it was`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Self.start(scratch, "kill -s KILL $$")
      try await Self.expectAsItWas(terminal, .signal(SIGKILL), "by the command's SIGKILL")
    }
  }

  @Test func `what a command took back itself is not taken back twice`() async throws {
    try await Scratch.with { scratch in
      let terminal = try HeldTerminal(
        scratch,
        [
          "\(Places.tools)/agent-run", "--", "printf",
          "\\033[?1049h\\033[?25lshown\\033[?25h\\033[?1049l",
        ])
      #expect(try await terminal.ended().ending == .exit(0))
      #expect(
        terminal.text.hasPrefix("\u{1B}[?1049h\u{1B}[?25lshown\u{1B}[?25h\u{1B}[?1049lTHE-END"))
    }
  }

  @Test func `signals that wish no end are the command's, as often as they come`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--", "sh", "-c",
        "trap 'echo got' USR1; trap 'echo end; exit 4' ALRM; echo on; while :; do sleep 0.02; done")
      try await scratch.until("it runs") { running.output == "on\n" }
      for count in 1...3 {
        running.child.signal(SIGUSR1)
        try await scratch.until("it is there") {
          running.output == "on\n" + String(repeating: "got\n", count: count)
        }
        // Longer than signals that are one wish may be apart.
        try await Task.sleep(for: .milliseconds(300))
      }
      running.child.signal(SIGALRM)
      #expect(await running.ended().endings == [.exit(4)])
      #expect(running.output.hasSuffix("got\nend\n"))
      // What else is there is what the shell has to say of its `sleep`, which gets the signals, too.
      #expect(!running.errors.contains("agent-run"))
    }
  }
}
