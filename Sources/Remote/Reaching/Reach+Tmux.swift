public import Core
public import Tmux

/// Commands for the tmux of a host, each over a connection of its own.
extension Reach {
  /// Lists the host's sessions, by name.
  ///
  /// - Parameter tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Returns: The sessions.
  /// - Throws: The errors of connecting, `TmuxNotFound`, `InvalidResponse`.
  public func sessions(tmux: String? = nil) throws(Failure) -> [TerminalSession] {
    let answer = try connect().run(try TmuxCommand.list(tmux: tmux).line)
    return try answer.sessions(host: host, port: port, user: user, authMode: Self.authMode)
      .map(\.session)
  }

  /// Creates a detached session.
  ///
  /// - Parameter command: The command from ``TmuxCommand/create(_:path:size:command:tmux:)``.
  /// - Returns: The session.
  /// - Throws: The errors of connecting, `TmuxNotFound`, `Conflict` if the name is taken.
  public func create(_ command: TmuxCommand) throws(Failure) -> TerminalSession {
    try connect().run(command.line).created(
      host: host, port: port, user: user, authMode: Self.authMode
    ).session
  }

  /// Ends a session and everything that runs in it.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Throws: The errors of connecting, `TmuxNotFound`, `TmuxSessionNotFound`.
  public func kill(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) {
    let answer = try connect().run(try TmuxCommand.kill(target, tmux: tmux).line)
    try answer.check(target, on: host)
  }

  /// Captures a session's screen.
  ///
  /// - Parameters:
  ///   - target: The session; the active pane of its current window is captured.
  ///   - escapes: `true` to include colours and attributes.
  ///   - history: The number of lines above the screen to include.
  ///   - tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Returns: The screen, dated now.
  /// - Throws: The errors of connecting, `TmuxNotFound`, `TmuxSessionNotFound`.
  public func snapshot(
    of target: TmuxTarget, escapes: Bool, history: Int, tmux: String? = nil
  ) throws(Failure) -> TerminalSnapshot {
    let line = try TmuxCommand.capture(target, escapes: escapes, history: history, tmux: tmux).line
    let screen = try TmuxScreen(
      try connect().run(line), of: target, on: host, history: history)
    return screen.record(ts: Timestamp.now.milliseconds, escapes: escapes)
  }

  /// The method of authentication; no other is used.
  private static var authMode: String { "publickey" }
}
