import Foundation
import Testing

/// What tmux-attach shows on a terminal, driven and read through a tmux of the test's own.
@Suite("tmux-attach on a terminal")
struct TmuxScreenTests {
  /// A host with a session of 200 by 50, and tmux-attach on a terminal of another size.
  private static func showing(
    columns: Int, lines: Int, options: String = "",
    _ body: (Scratch, SSHHost, ScreenTerminal) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await scratch.shell("tmux-attach trust \(host.patientAddress)")
        try await ScreenTerminal.with(scratch, columns: columns, lines: lines) { terminal in
          try terminal.type(
            "COLORTERM=truecolor tmux-attach --timings -i '\(scratch.path("user_key"))' \(options) \(host.patientAddress) agent-7"
          )
          try await scratch.until("it is shown") { try scratch.tmux(["list-clients"]) != "" }
          try await body(scratch, host, terminal)
        }
      }
    }
  }

  private static let colours =
    "clear; printf '\\033[1;31mred\\033[0m \\033[48;5;21mblue\\033[0m "
    + "\\033[38;2;1;200;3mrgb\\033[0m 漢字 é e\\314\\201 \\033[7minverse\\033[0m\\n'"

  @Test func `a larger terminal shows the screen cell for cell`() async throws {
    try await Self.showing(columns: 220, lines: 60) { scratch, _, terminal in
      let before = try scratch.tmux(["show-options", "-g"])
      try scratch.type(Self.colours, into: "agent-7")
      func cells(_ lines: [String]) -> [String] { lines.prefix(50).map { Self.trimmed($0) } }
      try await scratch.until("both are equal") {
        let source = try scratch.screen("agent-7", ["-e", "-N"])
        let remote = source.split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init)
        let shown = try terminal.shown(escapes: true)
        return source.contains("漢字") && cells(remote) == cells(shown)
      }
      #expect(
        try scratch.windowSize("agent-7") == "200x50")
      let end = try await terminal.leave()
      #expect(end.contains("tmux-attach: sent 0 bytes of input"))
      #expect(try scratch.tmux(["show-options", "-g"]) == before)
      try await scratch.until("no client is left") { try scratch.tmux(["list-clients"]) == "" }
      #expect(
        try scratch.windowSize("agent-7") == "200x50")
    }
  }

  /// A line without blanks at its end, whatever its attributes are written like.
  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.hasSuffix(" ") || line.hasSuffix("\u{1B}[0m") || line.hasSuffix("\u{1B}[39m")
      || line.hasSuffix("\u{1B}[49m")
    {
      line.removeLast(line.hasSuffix(" ") ? 1 : line.hasSuffix("\u{1B}[0m") ? 4 : 5)
    }
    return line
  }

  @Test func `a smaller terminal shows the part around the cursor, and nothing changes size`()
    async throws
  {
    try await Self.showing(columns: 80, lines: 24) { scratch, _, terminal in
      try scratch.type("clear; seq 1 45", into: "agent-7")
      try await scratch.until("the last lines are shown") {
        let shown = try terminal.shown()
        return shown.contains("45") && shown.contains("> ".trimmingCharacters(in: .whitespaces))
          && !shown.contains("1")
      }
      #expect(
        try scratch.windowSize("agent-7") == "200x50")
      // What is typed goes nowhere.
      try terminal.type("rm -rf /nothing")
      let end = try await terminal.leave()
      #expect(end.contains("tmux-attach: sent 0 bytes of input"))
      #expect(try !scratch.screen("agent-7").contains("nothing"))
      #expect(
        try scratch.windowSize("agent-7") == "200x50")
    }
  }

  @Test(arguments: [(80, 24), (200, 51), (220, 60)])
  func `the last line says how to leave, and q does`(_ columns: Int, _ lines: Int) async throws {
    try await Self.showing(columns: columns, lines: lines) { scratch, _, terminal in
      let words = " read-only, Ctrl-] or q leaves"
      try await scratch.until("it is said") {
        try terminal.shown().prefix(lines).last?.hasSuffix(words) == true
      }
      try scratch.type("clear; echo still", into: "agent-7")
      try await scratch.until("the screen is new, and it is still said") {
        let shown = try terminal.shown().prefix(lines)
        return shown.contains("still") && shown.last?.hasSuffix(words) == true
      }
      try terminal.press("Up")
      try terminal.press("q")
      try await terminal.until("tmux-attach: sent 0 bytes of input")
    }
  }

  @Test func `the key of a new host is shown before the screen`() async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await ScreenTerminal.with(scratch, columns: 100, lines: 30) { terminal in
          try terminal.type(
            "clear; tmux-attach -i '\(scratch.path("user_key"))' \(host.patientAddress) agent-7")
          try await scratch.until("the key is shown") {
            let shown = try terminal.shown()
            return shown.contains { $0.hasPrefix("tmux-attach: recorded the key of ") }
              && shown.contains("press Enter to show the session at once")
          }
          try terminal.press("Enter")
          try await scratch.until("it is shown") { try scratch.tmux(["list-clients"]) != "" }
          try await scratch.until("it says how to leave") {
            try terminal.shown().contains { $0.hasSuffix(" read-only, Ctrl-] or q leaves") }
          }
          try terminal.press("q")
          try await scratch.until("no client is left") { try scratch.tmux(["list-clients"]) == "" }
        }
      }
    }
  }

  @Test func `input reaches the session when it was asked for`() async throws {
    try await Self.showing(columns: 220, lines: 60, options: "--enable-input --history 9") {
      scratch, _, terminal in
      try terminal.type("echo $((20 + 22))")
      try await scratch.until("it was run") { try scratch.screen("agent-7").contains("\n42\n") }
      let end = try await terminal.leave()
      #expect(end.contains("tmux-attach: sent 18 bytes of input"))
    }
  }

  @Test func `a host that is hostile names, copies and asks nothing`() async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      let evil = try scratch.write(
        "bin/tmux-evil",
        """
        #!/bin/sh
        case " $* " in *' attach-session '*)
          printf '\\033]2;evil\\007\\033]52;c;QUJD\\007\\033[c\\033[6n\\033[21t\\033P+q544e\\033\\\\\\005' ;;
        esac
        exec tmux "$@"
        """, executable: true)
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await scratch.shell("tmux-attach trust \(host.patientAddress)")
        try await ScreenTerminal.with(scratch, columns: 220, lines: 60) { terminal in
          let before = try terminal.titleAndClipboard()
          try terminal.type(
            "tmux-attach --timings --enable-input --tmux-path '\(evil)' -i '\(scratch.path("user_key"))' \(host.patientAddress) agent-7"
          )
          try await scratch.until("it is attached") { try scratch.tmux(["list-clients"]) != "" }
          try scratch.type("clear; echo shown", into: "agent-7")
          try await terminal.until("shown")
          #expect(try await terminal.leave().contains("tmux-attach: sent 0 bytes of input"))
          #expect(try terminal.titleAndClipboard() == before)
        }
      }
    }
  }

  @Test func `a terminal that fits gives the window its size`() async throws {
    try await Self.showing(columns: 90, lines: 30, options: "--fit") { scratch, _, terminal in
      try await scratch.until("agent-7", has: "90x29")
      try terminal.resize(columns: 100, lines: 40)
      try await scratch.until("agent-7", has: "100x39")
      _ = try await terminal.leave()
    }
  }

  @Test(arguments: [false, true]) func `of many sizes the last one counts, with --fit alone`(
    fits: Bool
  ) async throws {
    try await Self.showing(columns: 90, lines: 30, options: fits ? "--fit" : "") {
      scratch, _, terminal in
      for step in 1...40 { try terminal.resize(columns: 60 + step, lines: 20 + step % 7) }
      try terminal.resize(columns: 132, lines: 43)
      if fits {
        try await scratch.until("agent-7", has: "132x42")
      }
      try scratch.type("clear; echo still there", into: "agent-7")
      try await terminal.until("still there")
      #expect(try scratch.windowSize("agent-7") == (fits ? "132x42" : "200x50"))
      _ = try await terminal.leave()
    }
  }

  @Test func `a connection that is lost is made again, and the screen painted`() async throws {
    try await Self.showing(columns: 220, lines: 60, options: "--keepalive 2s") {
      scratch, host, terminal in
      let first = host.connections
      #expect(first.count == 1)
      for id in first { kill(id, SIGKILL) }
      try await scratch.until("it is connected again") {
        !Set(host.connections).subtracting(first).isEmpty
      }
      // A peer that is frozen is as good as gone.
      let second = host.connections
      for id in second { kill(id, SIGSTOP) }
      try await scratch.until("it is connected a third time") {
        !Set(host.connections).subtracting(second).isEmpty
      }
      try scratch.type("clear; echo back again", into: "agent-7")
      try await scratch.until("it is shown") { try terminal.shown().contains("back again") }
      for id in second { kill(id, SIGKILL) }
      _ = try await terminal.leave()
    }
  }

  @Test func `a session that ends gives the terminal back`() async throws {
    try await Self.showing(columns: 220, lines: 60) { scratch, _, terminal in
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      try await scratch.until("it has ended") {
        try terminal.shown().contains { $0.contains("bytes of input") }
      }
      try terminal.type("stty -a | grep -o ' echo '; echo status $?")
      try await scratch.until("the terminal echoes") { try terminal.shown().contains("status 0") }
    }
  }

  @Test func `a terminal is needed, and the configuration may forbid input`() async throws {
    try await Scratch.with { scratch in
      let piped = try await scratch.shell("tmux-attach tester@127.0.0.1:1 agent-7")
      #expect(piped.output.isEmpty && piped.statuses == [69])
      #expect(piped.errors.contains("cannot show the session without a terminal"))
      try scratch.write("home/config/config.toml", "[terminal]\ninput = \"never\"\n")
      let input = try await scratch.shell("tmux-attach --enable-input tester@127.0.0.1:1 agent-7")
      #expect(input.output.isEmpty && input.statuses == [77])
      #expect(input.errors.contains("the configuration forbids input to terminals"))
    }
  }
}
