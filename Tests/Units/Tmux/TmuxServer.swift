import Core
import Foundation
import Processes
import Tmux
import Testing
import TestSupport

/// A tmux server of a test's own: another user's home, with a socket in it.
final class TmuxServer: Sendable {
  let home: Home
  let environment: [String: String]

  /// Starts nothing: the first command that makes a session does.
  init() throws {
    home = try Home()
    environment = [
      "HOME": home.path, "TMUX_TMPDIR": home.path, "TERM": "xterm-256color",
      "SHELL": "/bin/sh", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    // Nothing of this machine's configuration is read.
    _ = try home.file("empty.conf", "")
  }

  deinit { _ = try? tmux("kill-server") }

  /// Runs a command as an SSH server does: by a login shell, without a terminal.
  func run(_ line: String, shell: String = "/bin/sh") throws -> TmuxAnswer {
    let errors = home.path + "/errors-" + Identifier.make()
    let result = try ChildProcess.run(
      ["sh", "-c", "exec 2>\"$ERRORS\"; exec \"$0\" -c \"$1\"", shell, line],
      environment: .whole(environment.merging(["ERRORS": errors]) { $1 }), seconds: 600,
      maximumOutput: 32 << 20)
    try #require(!result.isLate, "'\(line)' ends")
    let data = try Data(contentsOf: URL(filePath: errors))
    return TmuxAnswer(status: result.status, output: result.output, errors: Array(data))
  }

  func run(_ command: TmuxCommand, shell: String = "/bin/sh") throws -> TmuxAnswer {
    try run(command.line, shell: shell)
  }

  /// Runs tmux itself, and gives what it prints, without the last end of line.
  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    let result = try ChildProcess.run(
      ["tmux", "-u", "-f", home.path + "/empty.conf"] + arguments,
      environment: .whole(environment),
      seconds: 300, maximumOutput: 32 << 20)
    let text = String(decoding: result.output, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Makes a session that does nothing.
  func make(_ name: String, columns: Int = 80, lines: Int = 24) throws {
    try tmux(
      "new-session", "-d", "-s", name, "-x", "\(columns)", "-y", "\(lines)", "sleep 1000")
  }

  /// The sessions' names, as tmux lists them.
  func names() throws -> [String] {
    try tmux("list-sessions", "-F", "#{session_name}").split(separator: "\n").map(String.init)
      .sorted()
  }

  /// Makes a session whose pane prints some bytes, and waits until tmux has read all of them.
  ///
  /// The end is told by the pane's title, which comes after the bytes and on the same way.
  func show(_ bytes: [UInt8], as name: String, columns: Int, lines: Int) throws {
    let title = "shown-" + Identifier.make()
    let file = home.path + "/" + title
    try Data(bytes + Array("\u{1B}]2;\(title)\u{1B}\\".utf8)).write(to: URL(filePath: file))
    try tmux(
      "new-session", "-d", "-s", name, "-x", "\(columns)", "-y", "\(lines)",
      "stty -opost -echo; cat '\(file)'; exec sleep 1000")
    try until("the pane shows it all") {
      try tmux("display-message", "-p", "-t", "=\(name):", "#{pane_title}") == title
    }
  }

  /// The screen of a session, taken as one on another machine is.
  func screen(_ name: String, history: Int = 0) throws -> TmuxScreen {
    let target = try TmuxTarget(name)
    return try TmuxScreen(
      run(.capture(target, history: history)), of: target, on: "here", history: history)
  }

  /// Waits until something holds, and fails the test when it does not in five minutes.
  func until(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
      try #require(ContinuousClock.now < end, "\(what)")
      usleep(20_000)
    }
  }
}

/// Numbers as an array of numbers, which a literal beside `==` may not be.
func numbers(_ values: Int...) -> [Int] { values }
