import TestSupport

/// A pseudo-terminal with a command on it, and the user's side of it.
///
/// Python's standard library creates the terminal: Swift's view of the C library has no portable
/// way.
struct Terminal: Sendable {
  private static let program = """
    import os, pty, sys
    sys.exit(os.waitstatus_to_exitcode(pty.spawn(["bash", "-c", sys.argv[1]])))
    """

  /// The command; its output is that of the terminal.
  let running: Running

  /// Starts a shell's command line on a terminal of its own.
  init(_ scratch: Scratch, _ line: String) throws {
    running = try scratch.running(
      ["python3", "-c", Self.program, line], "on a terminal: \(line)", input: nil)
  }

  /// The output so far.
  var text: String { running.output }

  /// Types a line.
  func type(_ line: String) { running.writer?.write(line + "\n") }
}
