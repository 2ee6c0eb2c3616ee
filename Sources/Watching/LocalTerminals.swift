public import Core
import Processes
public import Tmux

/// The tmux sessions of this machine's user.
public enum LocalTerminals {
  /// The session that a process was started in, by the environment that tmux gives it (tmux(1),
  /// `TMUX`); nil outside of one.
  public static func session(_ environment: [String: String]) -> String? {
    guard let number = environment["TMUX"]?.split(separator: ",").last, Int(number) != nil else {
      return nil
    }
    return "$\(number)"
  }

  /// Asks the tmux of this machine.
  ///
  /// - Parameters:
  ///   - command: What it is asked.
  ///   - environment: That of this process, by which tmux finds its server.
  /// - Returns: Its answer.
  /// - Throws: As `ChildProcess.run`.
  public static func ask(
    _ command: TmuxCommand, _ environment: [String: String]
  ) throws(Failure) -> TmuxAnswer {
    let result = try ChildProcess.run(
      ["sh", "-c", "\(command.line) 2>&1"], environment: .ofHelper(environment), seconds: 10,
      maximumOutput: TmuxScreen.maximumBytes)
    // It prints either what was asked for or why there is nothing.
    let failed = result.status != 0
    return TmuxAnswer(
      status: result.status, output: failed ? [] : result.output,
      errors: failed ? result.output : [])
  }

  /// The sessions, by name; none where no tmux server runs.
  ///
  /// - Parameter environment: That of this process, by which tmux finds its server.
  /// - Returns: The sessions.
  /// - Throws: `TmuxNotFound`; `InvalidResponse` for an answer that cannot be read.
  public static func all(_ environment: [String: String]) throws(Failure) -> [TerminalSession] {
    let result: ChildProcess.Result
    do throws(Failure) {
      result = try ChildProcess.run(
        ["tmux", "-u", "list-sessions", "-F", TerminalListing.format],
        environment: .ofHelper(environment), seconds: 10,
        maximumOutput: TerminalListing.maximumBytes)
    } catch {
      guard error.kind == .noProgram else { throw error }
      throw Failure(.tmuxNotFound, "there is no tmux on this machine")
    }
    guard result.status == 0 else { return [] }
    return try TerminalListing.read(result.output, host: "localhost", user: LoginName.current)
      .map(\.session)
  }
}
