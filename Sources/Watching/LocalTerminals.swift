public import Core
import Processes
public import Tmux

/// The tmux sessions of the user on this machine.
public enum LocalTerminals {
  /// Returns the ID of the tmux session in which a process runs; nil outside of tmux.
  ///
  /// It is read from the given environment of the process (tmux(1), `TMUX`).
  public static func session(_ environment: [String: String]) -> String? {
    guard let number = environment["TMUX"]?.split(separator: ",").last, Int(number) != nil else {
      return nil
    }
    return "$\(number)"
  }

  /// Runs the given tmux command on this machine.
  ///
  /// - Parameters:
  ///   - command: The command to run.
  ///   - environment: This process's environment, by which tmux finds its server.
  /// - Returns: The exit status and the output.
  /// - Throws: The errors of `ChildProcess.run`.
  public static func run(
    _ command: TmuxCommand, _ environment: [String: String]
  ) throws(Failure) -> TmuxAnswer {
    let result = try ChildProcess.run(
      ["sh", "-c", "\(command.line) 2>&1"], environment: .ofHelper(environment), seconds: 10,
      maximumOutput: TmuxScreen.maximumBytes)
    // tmux prints either the requested output or the reason for the failure.
    let failed = result.status != 0
    return TmuxAnswer(
      status: result.status, output: failed ? [] : result.output,
      errors: failed ? result.output : [])
  }

  /// Returns the user's sessions, sorted by name; empty if no tmux server runs.
  ///
  /// - Parameter environment: This process's environment, by which tmux finds its server.
  /// - Returns: The sessions on this machine.
  /// - Throws: `TmuxNotFound` if there is no tmux; `InvalidResponse` if the output of tmux cannot
  ///   be parsed.
  public static func all(_ environment: [String: String]) throws(Failure) -> [TerminalSession] {
    let result = try ChildProcess.run(
      // tmux reports on stderr that no server runs, which is no failure.
      [
        "/bin/sh", "-c", "exec tmux -u list-sessions -F \"$0\" 2>/dev/null",
        TerminalListing.format,
      ],
      environment: .ofHelper(environment), seconds: 10,
      maximumOutput: TerminalListing.maximumBytes)
    guard result.status != 127 else {
      throw Failure(.tmuxNotFound, "there is no tmux on this machine")
    }
    guard result.status == 0 else { return [] }
    return try TerminalListing.read(result.output, host: "localhost", user: LoginName.current)
      .map(\.session)
  }
}
