/// An event of a terminal, or of the transport of its output.
public struct TerminalEvent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalEvent"

  /// The time of the report, in milliseconds since 1970.
  public var ts: Int64
  /// The kind of event.
  public var event: TerminalEventKind
  /// The session concerned, such as `$0`.
  public var sessionId: String?
  /// The window concerned, such as `@0`.
  public var windowId: String?
  /// The pane concerned, such as `%0`.
  public var paneId: String?
  /// The new name of the session, the window or the client.
  public var name: String?
  /// The layout of the window's panes, in tmux's notation.
  public var layout: String?
  /// The reason for the event.
  public var reason: String?
  /// The message, in tmux's own words.
  public var text: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case ts, event, sessionId, windowId, paneId, name, layout, reason, text, labels
  }

  /// Creates the record.
  public init(
    ts: Int64, event: TerminalEventKind, sessionId: String? = nil, windowId: String? = nil,
    paneId: String? = nil, name: String? = nil, layout: String? = nil, reason: String? = nil,
    text: String? = nil
  ) {
    self.ts = ts
    self.event = event
    self.sessionId = sessionId
    self.windowId = windowId
    self.paneId = paneId
    self.name = name
    self.layout = layout
    self.reason = reason
    self.text = text
  }
}

/// The kind of a terminal's event.
public enum TerminalEventKind: String, Codable, Sendable, CaseIterable {
  /// Output of the pane is skipped from here, because it was read too slowly.
  case pause
  /// Output of the pane continues.
  case goesOn = "continue"
  /// A window was added to the session.
  case windowAdd
  /// A window of the session was closed.
  case windowClose
  /// A window of the session was renamed.
  case windowRenamed
  /// A window was added to another session.
  case unlinkedWindowAdd
  /// A window of another session was closed.
  case unlinkedWindowClose
  /// A window of another session was renamed.
  case unlinkedWindowRenamed
  /// The active pane of the window changed.
  case windowPaneChanged
  /// The layout or the size of a window's panes changed.
  case layoutChange
  /// The pane entered or left a mode.
  case paneModeChanged
  /// This client attached to another session, or to its first.
  case sessionChanged
  /// A session was renamed.
  case sessionRenamed
  /// The current window of a session changed.
  case sessionWindowChanged
  /// A session was created or destroyed.
  case sessionsChanged
  /// Another client attached to another session.
  case clientSessionChanged
  /// Another client detached.
  case clientDetached
  /// The connection was lost and restored.
  case reconnected
  /// The end of the stream.
  case exit
  /// Any other message from tmux.
  case notice
}
