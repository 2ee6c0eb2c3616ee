import Foundation
import Testing

/// What tmux-attach shows on a terminal, driven and read through a tmux of the test's own.
@Suite("tmux-attach on a terminal")
struct TmuxScreenTests {
  private static let outer = ["-L", "outer", "-f", "/dev/null"]

  /// A host with a session of 200 by 50, and tmux-attach on a terminal of another size.
  private static func showing(
    columns: Int, lines: Int, options: String = "",
    _ body: (Scratch, SSHHost) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      try await host.makeSession("agent-7")
      try await scratch.shell("tmux-attach trust \(host.address)")
      do {
        try host.tmux(
          [
            "new-session", "-d", "-s", "o", "-x", "\(columns)", "-y", "\(lines)",
            "exec env PS1='$ ' bash --norc --noprofile -i",
          ], server: outer)
        // The line at the bottom is the test's terminal's, not part of what is shown.
        try host.tmux(["set-option", "-g", "status", "off"], server: outer)
        try type(
          host,
          "COLORTERM=truecolor tmux-attach --timings -i '\(scratch.path("user_key"))' \(options) \(host.address) agent-7"
        )
        try await scratch.until("it is shown") { try host.tmux(["list-clients"]) != "" }
        try await body(scratch, host)
      } catch {
        try host.tmux(["kill-server"], server: outer)
        try host.end()
        throw error
      }
      try host.tmux(["kill-server"], server: outer)
      try host.end()
    }
  }

  private static func type(_ host: SSHHost, _ line: String) throws {
    try host.tmux(["send-keys", "-t", "o", "-l", line], server: outer)
    try host.tmux(["send-keys", "-t", "o", "Enter"], server: outer)
  }

  private static func shown(_ host: SSHHost, escapes: Bool = false) throws -> [String] {
    let options = escapes ? ["-e", "-N"] : []
    return try host.tmux(["capture-pane", "-p"] + options + ["-t", "o"], server: outer)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func leave(_ scratch: Scratch, _ host: SSHHost) async throws -> [String] {
    try host.tmux(["send-keys", "-t", "o", "C-]"], server: outer)
    try await scratch.until("it has ended") {
      try shown(host).contains { $0.contains("bytes of input") }
    }
    return try shown(host)
  }

  private static let colours =
    "clear; printf '\\033[1;31mred\\033[0m \\033[48;5;21mblue\\033[0m "
    + "\\033[38;2;1;200;3mrgb\\033[0m 漢字 é e\\314\\201 \\033[7minverse\\033[0m\\n'"

  @Test func `a larger terminal shows the screen cell for cell`() async throws {
    try await Self.showing(columns: 220, lines: 60) { scratch, host in
      let before = try host.tmux(["show-options", "-g"])
      try host.tmux(["send-keys", "-t", "agent-7", "-l", Self.colours])
      try host.tmux(["send-keys", "-t", "agent-7", "Enter"])
      func cells(_ lines: [String]) -> [String] { lines.prefix(50).map { Self.trimmed($0) } }
      try await scratch.until("both are equal") {
        let source = try host.screen("agent-7", ["-e", "-N"])
        let remote = source.split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init)
        let shown = try Self.shown(host, escapes: true)
        return source.contains("漢字") && cells(remote) == cells(shown)
      }
      #expect(
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "200x50\n")
      let end = try await Self.leave(scratch, host)
      #expect(end.contains("tmux-attach: sent 0 bytes of input"))
      #expect(try host.tmux(["show-options", "-g"]) == before)
      try await scratch.until("no client is left") { try host.tmux(["list-clients"]) == "" }
      #expect(
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "200x50\n")
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
    try await Self.showing(columns: 80, lines: 24) { scratch, host in
      try host.tmux(["send-keys", "-t", "agent-7", "-l", "clear; seq 1 45"])
      try host.tmux(["send-keys", "-t", "agent-7", "Enter"])
      try await scratch.until("the last lines are shown") {
        let shown = try Self.shown(host)
        return shown.contains("45") && shown.contains("> ".trimmingCharacters(in: .whitespaces))
          && !shown.contains("1")
      }
      #expect(
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "200x50\n")
      // What is typed goes nowhere.
      try Self.type(host, "rm -rf /nothing")
      let end = try await Self.leave(scratch, host)
      #expect(end.contains("tmux-attach: sent 0 bytes of input"))
      #expect(try !host.screen("agent-7").contains("nothing"))
      #expect(
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "200x50\n")
    }
  }

  @Test func `input reaches the session when it was asked for`() async throws {
    try await Self.showing(columns: 220, lines: 60, options: "--enable-input --history 9") {
      scratch, host in
      try Self.type(host, "echo $((20 + 22))")
      try await scratch.until("it was run") { try host.screen("agent-7").contains("\n42\n") }
      let end = try await Self.leave(scratch, host)
      #expect(end.contains("tmux-attach: sent 18 bytes of input"))
    }
  }

  @Test func `a terminal that fits gives the window its size`() async throws {
    try await Self.showing(columns: 90, lines: 30, options: "--fit") { scratch, host in
      try await scratch.until("the window has its size") {
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "90x29\n"
      }
      try host.tmux(["resize-window", "-t", "o", "-x", "100", "-y", "40"], server: Self.outer)
      try await scratch.until("the window has its new size") {
        try host.tmux(["display", "-p", "-t", "agent-7", "#{window_width}x#{window_height}"])
          == "100x39\n"
      }
      _ = try await Self.leave(scratch, host)
    }
  }

  @Test func `a connection that is lost is made again, and the screen painted`() async throws {
    try await Self.showing(columns: 220, lines: 60, options: "--keepalive 1s") { scratch, host in
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
      try host.tmux(["send-keys", "-t", "agent-7", "-l", "clear; echo back again"])
      try host.tmux(["send-keys", "-t", "agent-7", "Enter"])
      try await scratch.until("it is shown") { try Self.shown(host).contains("back again") }
      for id in second { kill(id, SIGKILL) }
      _ = try await Self.leave(scratch, host)
    }
  }

  @Test func `a session that ends gives the terminal back`() async throws {
    try await Self.showing(columns: 220, lines: 60) { scratch, host in
      try host.tmux(["kill-session", "-t", "agent-7"])
      try await scratch.until("it has ended") {
        try Self.shown(host).contains { $0.contains("bytes of input") }
      }
      try Self.type(host, "stty -a | grep -o ' echo '; echo status $?")
      try await scratch.until("the terminal echoes") { try Self.shown(host).contains("status 0") }
    }
  }

  @Test func `a terminal is needed, and the configuration may forbid input`() async throws {
    try await Scratch.with { scratch in
      let piped = try await scratch.shell("tmux-attach tester@127.0.0.1:1 agent-7")
      #expect(piped.records("error").first?["code"] == "TerminalInitFailed")
      try scratch.write("home/config/config.toml", "[terminal]\ninput = \"never\"\n")
      let input = try await scratch.shell("tmux-attach --enable-input tester@127.0.0.1:1 agent-7")
      #expect(input.records("error").first?["kind"] == "inputForbidden")
      #expect(input.statuses == [77])
    }
  }
}
