import Foundation
import Testing

/// A user's terminal: a tmux of its own, driven by keys and read as displayed.
struct ScreenTerminal {
  private let scratch: Scratch
  /// A server for each terminal: a shared one that ends would also end clients that connect at that
  /// moment.
  private let server = ["-L", "outer-\(UUID().uuidString.prefix(8))", "-f", "/dev/null"]

  private init(_ scratch: Scratch) { self.scratch = scratch }

  /// Opens a terminal with a shell, runs a test, and closes it.
  static func with(
    _ scratch: Scratch, columns: Int, lines: Int, _ body: (ScreenTerminal) async throws -> Void
  ) async throws {
    let terminal = ScreenTerminal(scratch)
    do {
      try terminal.tmux([
        "new-session", "-d", "-s", "o", "-x", "\(columns)", "-y", "\(lines)",
        "exec env PS1='$ ' bash --norc --noprofile -i",
      ])
      // The status line belongs to the test's terminal, not to the displayed program.
      try terminal.tmux(["set-option", "-g", "status", "off"])
      // A terminal that obeys requests to set its clipboard.
      try terminal.tmux(["set-option", "-s", "set-clipboard", "on"])
      try await body(terminal)
    } catch {
      let shown = (try? terminal.shown().filter { !$0.isEmpty }) ?? []
      Issue.record("the terminal shows \(shown); \(try scratch.tmux(["list-clients"]))")
      try terminal.tmux(["kill-server"])
      throw error
    }
    try terminal.tmux(["kill-server"])
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    try scratch.tmux(arguments, server: server)
  }

  /// Types a line.
  func type(_ line: String) throws {
    try tmux(["send-keys", "-t", "o", "-l", line])
    try tmux(["send-keys", "-t", "o", "Enter"])
  }

  /// Presses a key, by tmux's name for it.
  func press(_ key: String) throws { try tmux(["send-keys", "-t", "o", key]) }

  /// Resizes the terminal.
  func resize(columns: Int, lines: Int) throws {
    try tmux(["resize-window", "-t", "o", "-x", "\(columns)", "-y", "\(lines)"])
  }

  /// Returns the title and the clipboard.
  func titleAndClipboard() throws -> String {
    try tmux(["display", "-p", "-t", "o", "#{pane_title}"]) + tmux(["list-buffers"])
  }

  /// Returns the terminal's modes that tmux reports.
  func modes() throws -> String {
    let names = [
      "alternate_on", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag",
      "mouse_all_flag", "mouse_any_flag", "mouse_button_flag", "mouse_sgr_flag",
      "mouse_standard_flag", "mouse_utf8_flag", "origin_flag", "scroll_region_lower",
      "scroll_region_upper", "wrap_flag",
    ]
    return try tmux(
      ["display", "-p", "-t", "o", names.map { "\($0)=#{\($0)}" }.joined(separator: " ")])
  }

  /// Returns the displayed lines.
  func shown(escapes: Bool = false) throws -> [String] {
    let options = escapes ? ["-e", "-N"] : []
    return try tmux(["capture-pane", "-p"] + options + ["-t", "o"])
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the displayed lines, and those that scrolled off at the top.
  func history() throws -> [String] {
    try tmux(["capture-pane", "-p", "-S", "-", "-t", "o"])
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until a line is shown.
  func until(_ line: String) async throws {
    try await scratch.until("'\(line)' is shown") { try shown().contains(line) }
  }

  /// Leaves tmux-attach, which was started so that it reports the number of bytes it sent.
  func leave() async throws -> [String] {
    try press("C-]")
    return try await left()
  }

  /// Returns the displayed lines after tmux-attach has ended by itself.
  func left() async throws -> [String] {
    try await scratch.until("it has ended") {
      try shown().contains { $0.contains("bytes of input") }
    }
    return try shown()
  }
}
