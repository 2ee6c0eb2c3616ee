import Core
import Foundation
import Processes

/// The tmux of a test's host, in the folder of `TMUX_TMPDIR`.
extension Scratch {
  /// Runs a tmux command and returns its output.
  @discardableResult
  func tmux(_ arguments: [String], server: [String] = []) throws -> String {
    // Foundation's Process would wait for every process that holds its pipes, such as a tmux
    // server.
    let result = try ChildProcess.run(
      ["tmux"] + server + arguments, environment: .whole(environment), seconds: 300)
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Creates a session: a shell that shows only the output of its commands.
  func makeSession(_ session: String, columns: Int = 200, lines: Int = 50) async throws {
    try await shell(
      "tmux -f /dev/null new-session -d -s '\(session)' -x \(columns) -y \(lines) "
        + "\"PS1='> ' exec bash --norc --noprofile -i\"")
    try await until("the shell in '\(session)' is ready") { try screen(session).contains(">") }
  }

  /// Returns the screen of a session.
  func screen(_ session: String, _ options: [String] = []) throws -> String {
    try tmux(["capture-pane", "-p"] + options + ["-t", "=\(session):"])
  }

  /// Types a line into a session.
  func type(_ line: String, into session: String) throws {
    try tmux(["send-keys", "-t", "=\(session):", "-l", line])
    try tmux(["send-keys", "-t", "=\(session):", "Enter"])
  }

  /// Returns a session's size, such as `200x50`.
  func windowSize(_ session: String) throws -> String {
    try tmux(["display", "-p", "-t", "=\(session):", "#{window_width}x#{window_height}"])
      .trimmingCharacters(in: .newlines)
  }

  /// Waits until a session has a size.
  func until(_ session: String, has size: String) async throws {
    try await until("'\(session)' has the size \(size)") { try windowSize(session) == size }
  }

  /// Runs a test with a tmux server of its own, and ends the server, whose sessions would outlive
  /// the test.
  func withTmux(_ body: () async throws -> Void) async throws {
    if environment["TMUX_TMPDIR"] == nil {
      // If the folder did not exist, tmux would use the machine's, and tests would share a server.
      try write("tmux/.keep", "")
      set("TMUX_TMPDIR", path("tmux"))
    }
    do {
      try await body()
    } catch {
      try tmux(["kill-server"])
      throw error
    }
    try tmux(["kill-server"])
  }
}
