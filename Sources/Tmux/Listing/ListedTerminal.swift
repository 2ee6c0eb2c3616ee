public import Core

/// A session of tmux, with the data that a viewer needs.
public struct ListedTerminal: Sendable, Hashable {
  /// The session.
  public var session: TerminalSession
  /// The lines that tmux's own status takes of a client's terminal: 0 to 5.
  ///
  /// A client whose terminal is that much higher than the session's window leaves the window's size
  /// alone.
  public var statusLines: Int
  /// The ID of the session's current window, such as `@1`.
  public var window: String
  /// The ID of that window's active pane, such as `%1`.
  public var pane: String

  /// Creates the description.
  public init(session: TerminalSession, statusLines: Int, window: String, pane: String) {
    self.session = session
    self.statusLines = statusLines
    self.window = window
    self.pane = pane
  }
}
