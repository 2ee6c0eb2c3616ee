import Foundation
import Testing

/// A terminal as a person has one: a tmux of its own, driven by keys and read as it is shown.
struct ScreenTerminal {
  private let scratch: Scratch
  /// Each has a server of its own: one that ends takes whoever comes at that moment with it.
  private let server = ["-L", "outer-\(UUID().uuidString.prefix(8))", "-f", "/dev/null"]

  private init(_ scratch: Scratch) { self.scratch = scratch }

  /// Opens it, with a shell that does something, and closes it after that.
  static func with(
    _ scratch: Scratch, columns: Int, lines: Int, _ body: (ScreenTerminal) async throws -> Void
  ) async throws {
    let terminal = ScreenTerminal(scratch)
    do {
      try terminal.tmux([
        "new-session", "-d", "-s", "o", "-x", "\(columns)", "-y", "\(lines)",
        "exec env PS1='$ ' bash --norc --noprofile -i",
      ])
      // The line at the bottom is the test's terminal's, not part of what is shown.
      try terminal.tmux(["set-option", "-g", "status", "off"])
      // A terminal that does what it is told to.
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

  /// Presses a key, by tmux's name of it.
  func press(_ key: String) throws { try tmux(["send-keys", "-t", "o", key]) }

  /// Gives it another size.
  func resize(columns: Int, lines: Int) throws {
    try tmux(["resize-window", "-t", "o", "-x", "\(columns)", "-y", "\(lines)"])
  }

  /// What it is called, and what was put on its clipboard.
  func titleAndClipboard() throws -> String {
    try tmux(["display", "-p", "-t", "o", "#{pane_title}"]) + tmux(["list-buffers"])
  }

  /// The modes that it is in, as far as tmux tells them.
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

  /// The lines that it shows.
  func shown(escapes: Bool = false) throws -> [String] {
    let options = escapes ? ["-e", "-N"] : []
    return try tmux(["capture-pane", "-p"] + options + ["-t", "o"])
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines that it shows, and those that left it at the top.
  func history() throws -> [String] {
    try tmux(["capture-pane", "-p", "-S", "-", "-t", "o"])
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until a line is shown.
  func until(_ line: String) async throws {
    try await scratch.until("'\(line)' is shown") { try shown().contains(line) }
  }

  /// Leaves tmux-attach, which was told to say how much it sent.
  func leave() async throws -> [String] {
    try press("C-]")
    return try await left()
  }

  /// What is shown after tmux-attach has ended by itself.
  func left() async throws -> [String] {
    try await scratch.until("it has ended") {
      try shown().contains { $0.contains("bytes of input") }
    }
    return try shown()
  }
}
