import Foundation
import TestSupport
import Testing

/// What tmux-attach does to the terminal that it shows a session on, byte by byte and mode by mode.
@Suite("tmux-attach and its terminal")
struct TmuxTerminalTests {
  /// What a hostile host writes: each would change the terminal, or have it answer, print or tell.
  private static let hostile = [
    "[2h", "[4h", "[20h", "[12l", "[?1h", "[?3h", "[?5h", "[?6h", "[?7l", "[?8l", "[?9h", "[?12h",
    "[?25l", "[?45h", "[?47h", "[?66h", "[?69h", "[3;9s", "[?1000h", "[?1002h", "[?1003h",
    "[?1004h",
    "[?1005h", "[?1006h", "[?1015h", "[?1016h", "[?1047h", "[?1049l", "[?2004h", "[?2026h",
    "[?2031h",
    "[?2048h", "[?9001h", "[>4;2m", "[>1u", "[=1u", "[5 q", "[3;9r", "[1;4:3;38;5;9m", "=", "(0",
    ")0",
    "[1\"q", "%@", "c", "[!p", "7", "8", "H", "[3g", "#8", "[61\"p", "[3J", "[8;9;9t",
    "[i", "[5i", "[?5i", "[1;1;1;1;1;1*y", "[?1;1;0S", "[1$w", "[#|", "[#R", "[&u", "['|", "[\"v",
    "[c",
    "[6n", "[21t", "[x", "[>q", "[?u", "[?25$p", "Z", "]0;evil\u{7}", "]52;c;QUJD\u{7}",
    "P+q544e\u{1B}\\",
    "]8;;http://x/\u{7}", "]11;#f00\u{7}", "_Gi=1\u{1B}\\",
  ].map { "\u{1B}" + $0 }

  /// A host whose session `agent-7` shows `as it is`, and whose tmux first writes what it likes.
  private static func withHost(
    _ body: (Scratch, _ command: [String]) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      try scratch.write("bin/hostile", hostile.joined())
      try Data([0x9B, 0x35, 0x69, 0x9D, 0x9C, 0xC2, 0x9B, 0x63, 0x05, 0x0E]).write(
        to: URL(filePath: scratch.path("bin/bytes")))
      let evil = try scratch.write(
        "bin/tmux-evil",
        """
        #!/bin/sh
        case " $* " in *' attach-session '*)
          cat '\(scratch.path("bin/hostile"))' '\(scratch.path("bin/bytes"))' ;;
        esac
        exec tmux "$@"
        """, executable: true)
      // Where a crash is asked for, what Swift has to say of it is not.
      scratch.set("SWIFT_BACKTRACE", "enable=no")
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await scratch.shell("tmux-attach trust \(host.patientAddress)")
        // Programs in the session set modes, too.
        try scratch.type(
          "clear; printf '\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1h\\033=\\033[5 q'; echo as it is",
          into: "agent-7")
        try await scratch.until("it is shown there") {
          try scratch.screen("agent-7").hasPrefix("as it is")
        }
        try await body(
          scratch,
          [
            "\(Places.tools)/tmux-attach", "--tmux-path", evil, "-i", scratch.path("user_key"),
            "--timeout", "250s", host.address, "agent-7",
          ])
      }
    }
  }

  private static func expectAsItWas(
    _ terminal: HeldTerminal, _ ending: Ending, _ how: String
  ) async throws {
    let report = try await terminal.ended()
    let judge = try TerminalJudge(terminal.text)
    #expect(report.ending == ending, "\(how)")
    #expect(report.isSame, "\(how): the terminal's own modes")
    #expect(judge.tookScreen, "\(how)")
    #expect(judge.leftovers == [], "\(how)")
    #expect(judge.strangers == [], "\(how)")
  }

  @Test func `however it ends, but for SIGKILL, the terminal is as it was`() async throws {
    try await Self.withHost { scratch, command in
      func showing(_ options: [String] = []) async throws -> HeldTerminal {
        let terminal = try HeldTerminal(scratch, command + options)
        try await terminal.until("as it is")
        return terminal
      }
      for options in [[], ["--enable-input"]] {
        let left = try await showing(options)
        left.type("\u{1D}")
        try await Self.expectAsItWas(left, .exit(0), "left \(options)")
      }
      let interrupted = try await showing()
      interrupted.type("\u{3}")
      try await Self.expectAsItWas(interrupted, .signal(SIGINT), "Ctrl-C")
      let quit = try await showing()
      quit.type("\u{1C}")
      try await Self.expectAsItWas(quit, .signal(SIGQUIT), "Ctrl-\\")
      // A few at a time: each waits for the host more than for this machine.
      for start in stride(from: 0, to: Self.signals.count, by: 5) {
        let started = try Self.signals[start...].prefix(5).map {
          (number: $0, terminal: try HeldTerminal(scratch, command))
        }
        for (number, terminal) in started {
          try await terminal.until("as it is")
          terminal.signal(number)
        }
        for (number, terminal) in started {
          try await Self.expectAsItWas(terminal, .signal(number), "signal \(number)")
        }
      }
      let last = try await showing()
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      try await Self.expectAsItWas(last, .exit(0), "the session's end")
    }
  }

  /// Every signal that ends a process, but for SIGKILL, and those that tools ignore: SIGPIPE and
  /// SIGXFSZ.
  private static var signals: [Int32] {
    let portable = [
      SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
      SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS,
    ]
    #if os(Linux)
      return portable + [SIGIO, SIGPWR, SIGSTKFLT, 34, 50, 64]
    #else
      return portable
    #endif
  }

  @Test func `a terminal that takes nothing has its modes back at a second signal`() async throws {
    try await Self.withHost { scratch, command in
      let terminal = try HeldTerminal(scratch, command)
      try await terminal.until("as it is")
      terminal.hold(true)
      try scratch.type("clear; seq 1 20000; echo over", into: "agent-7")
      try await scratch.until("more came than a terminal holds") {
        try scratch.screen("agent-7").contains("over")
      }
      terminal.signal(SIGTERM)
      terminal.signal(SIGUSR1)
      try await scratch.until("it has ended") { terminal.hasEnded }
      terminal.hold(false)
      let report = try await terminal.ended()
      #expect([.signal(SIGTERM), .signal(SIGUSR1)].contains(report.ending))
      #expect(report.isSame)
    }
  }

  @Test(arguments: [SIGINT, SIGQUIT, SIGUSR1, SIGALRM])
  func `what is typed is shown again when a signal ends a prompt`(number: Int32) async throws {
    try await Scratch.with { scratch in
      let key = scratch.path("user/locked")
      try await scratch.shell("ssh-keygen -q -t ed25519 -N secret -f '\(key)'")
      let terminal = try HeldTerminal(
        scratch, ["\(Places.tools)/tmux-attach", "key", "import", "k", key])
      try await terminal.until("Passphrase of ")
      terminal.signal(number)
      let report = try await terminal.ended()
      #expect(report.ending == .signal(number))
      #expect(report.isSame)
    }
  }

  @Test func `a stopped job has its terminal as it was, and takes it again`() async throws {
    try await Self.withHost { scratch, command in
      try await ScreenTerminal.with(scratch, columns: 220, lines: 60) { terminal in
        let before = try terminal.modes()
        let line = (command + ["--timings"]).map { "'\($0)'" }.joined(separator: " ")
        try terminal.type(line)
        try await terminal.until("as it is")
        #expect(try terminal.modes() != before)
        try terminal.press("C-z")
        try await scratch.until("it is stopped") {
          try terminal.shown().contains { $0.contains("Stopped") }
        }
        #expect(try terminal.modes() == before)
        try terminal.type("fg")
        try await terminal.until("as it is")
        _ = try await terminal.leave()
        #expect(try terminal.modes() == before)
      }
    }
  }
}
