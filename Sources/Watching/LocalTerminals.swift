public import Core
import Processes
import Tmux

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
