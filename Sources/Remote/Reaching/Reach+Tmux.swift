public import Core
public import Tmux

/// What is asked of the tmux of a host, each time over a connection of its own.
extension Reach {
  /// The sessions that the host has, by name.
  ///
  /// - Parameter tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Returns: The sessions.
  /// - Throws: What connecting throws, `TmuxNotFound`, `InvalidResponse`.
  public func sessions(tmux: String? = nil) throws(Failure) -> [TerminalSession] {
    let answer = try connect().run(try TmuxCommand.list(tmux: tmux).line)
    return try answer.sessions(host: host, port: port, user: user, authMode: Self.authMode)
      .map(\.session)
  }

  /// Makes a session, without looking at it.
  ///
  /// - Parameter command: What ``TmuxCommand/create(_:path:size:command:tmux:)`` made.
  /// - Returns: The session.
  /// - Throws: What connecting throws, `TmuxNotFound`, `Conflict` for a name that is taken.
  public func create(_ command: TmuxCommand) throws(Failure) -> TerminalSession {
    try connect().run(command.line).created(
      host: host, port: port, user: user, authMode: Self.authMode
    ).session
  }

  /// Ends a session and what runs in it.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Throws: What connecting throws, `TmuxNotFound`, `TmuxSessionNotFound`.
  public func kill(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) {
    let answer = try connect().run(try TmuxCommand.kill(target, tmux: tmux).line)
    try answer.check(target, on: host)
  }

  /// What a session's screen shows now.
  ///
  /// - Parameters:
  ///   - target: The session; its current window's active pane is taken.
  ///   - escapes: Whether colours and attributes come with it.
  ///   - history: How many lines above the screen are taken too.
  ///   - tmux: The program there, by an absolute path; by default the one in the PATH.
  /// - Returns: The screen, dated now.
  /// - Throws: What connecting throws, `TmuxNotFound`, `TmuxSessionNotFound`.
  public func snapshot(
    of target: TmuxTarget, escapes: Bool, history: Int, tmux: String? = nil
  ) throws(Failure) -> TerminalSnapshot {
    let line = try TmuxCommand.capture(target, escapes: escapes, history: history, tmux: tmux).line
    let screen = try TmuxScreen(
      try connect().run(line), of: target, on: host, history: history)
    return screen.record(ts: Timestamp.now.milliseconds, escapes: escapes)
  }

  /// How one is let in: by no other means.
  private static var authMode: String { "publickey" }
}
