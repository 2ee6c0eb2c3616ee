public import Core
public import Tmux

/// The tmux commands on the host.
///
/// Each call opens a separate connection.
extension Reach {
  /// Returns the host's sessions, sorted by name.
  ///
  /// - Parameter tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The sessions.
  /// - Throws: `TmuxNotFound` if the host has no tmux; `InvalidResponse` if its output cannot be
  ///   parsed; the errors of ``connect()``.
  public func sessions(tmux: String? = nil) throws(Failure) -> [TerminalSession] {
    let answer = try connect().run(try TmuxCommand.list(tmux: tmux).line)
    return try answer.sessions(host: host, port: port, user: user, authMode: Self.authMode)
      .map(\.session)
  }

  /// Creates a detached session with the given command.
  ///
  /// - Parameter command: The command from ``TmuxCommand/create(_:path:size:command:tmux:)``.
  /// - Returns: The session.
  /// - Throws: `Conflict` if the name is taken; `TmuxNotFound` if the host has no tmux; the errors
  ///   of ``connect()``.
  public func create(_ command: TmuxCommand) throws(Failure) -> TerminalSession {
    try connect().run(command.line).created(
      host: host, port: port, user: user, authMode: Self.authMode
    ).session
  }

  /// Ends the given session and everything that runs in it.
  ///
  /// - Parameters:
  ///   - target: The session to end.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if the host has no
  ///   tmux; the errors of ``connect()``.
  public func kill(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) {
    let answer = try connect().run(try TmuxCommand.kill(target, tmux: tmux).line)
    try answer.check(target, on: host)
  }

  /// Captures the screen of the given session.
  ///
  /// - Parameters:
  ///   - target: The session; the active pane of its current window is captured.
  ///   - escapes: `true` to include colours and attributes.
  ///   - history: The number of lines above the screen to include.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The screen, with the current time.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if the host has no
  ///   tmux; the errors of ``connect()``.
  public func snapshot(
    of target: TmuxTarget, escapes: Bool, history: Int, tmux: String? = nil
  ) throws(Failure) -> TerminalSnapshot {
    let line = try TmuxCommand.capture(target, escapes: escapes, history: history, tmux: tmux).line
    let screen = try TmuxScreen(
      try connect().run(line), of: target, on: host, history: history)
    return screen.record(ts: Timestamp.now.milliseconds, escapes: escapes)
  }

  /// The authentication method that records name.
  ///
  /// Connections use no other.
  private static var authMode: String { "publickey" }
}
