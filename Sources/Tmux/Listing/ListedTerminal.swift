public import Core

/// A session of tmux, and what one needs to look at it.
public struct ListedTerminal: Sendable, Hashable {
  /// The session.
  public var session: TerminalSession
  /// How many lines of a client's terminal tmux's own status takes: 0 to 5.
  ///
  /// A client whose terminal is that much higher than the session's window leaves the window's size
  /// alone.
  public var statusLines: Int
  /// The id of its current window, such as `@1`.
  public var window: String
  /// The id of that window's active pane, such as `%1`.
  public var pane: String

  /// Creates the description.
  public init(session: TerminalSession, statusLines: Int, window: String, pane: String) {
    self.session = session
    self.statusLines = statusLines
    self.window = window
    self.pane = pane
  }
}
