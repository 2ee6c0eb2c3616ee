public import Core

/// A tmux session, with the data that is needed to view it.
public struct ListedTerminal: Sendable, Hashable {
  /// The session as a record.
  public var session: TerminalSession
  /// The number of lines of tmux's status line on a client's terminal, from 0 to 5.
  ///
  /// If a client's terminal is higher than the session's window by this number, tmux does not
  /// resize the window.
  public var statusLines: Int
  /// The ID of the session's current window, such as `@1`.
  public var window: String
  /// The ID of the active pane in that window, such as `%1`.
  public var pane: String

  /// Creates the description.
  public init(session: TerminalSession, statusLines: Int, window: String, pane: String) {
    self.session = session
    self.statusLines = statusLines
    self.window = window
    self.pane = pane
  }
}
