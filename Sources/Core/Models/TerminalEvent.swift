/// An event of a terminal, or of the connection that carries its output.
public struct TerminalEvent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalEvent"

  /// The time at which the report was made, in milliseconds since 1970.
  public var ts: Int64
  /// The kind of event.
  public var event: TerminalEventKind
  /// The id of the session concerned, such as `$0`.
  public var sessionId: String?
  /// The id of the window concerned, such as `@0`.
  public var windowId: String?
  /// The id of the pane concerned, such as `%0`.
  public var paneId: String?
  /// The new name of the session, the window or the client.
  public var name: String?
  /// The layout of the window's panes, in tmux's notation.
  public var layout: String?
  /// The reason for the event.
  public var reason: String?
  /// The message in tmux's words.
  public var text: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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

/// The kind of a terminal event.
public enum TerminalEventKind: String, Codable, Sendable, CaseIterable {
  /// A pause of a pane's output, because it was read too slowly. Output is skipped until it
  /// resumes.
  case pause
  /// The resumption of a pane's paused output.
  case goesOn = "continue"
  /// A window that was created in the session.
  case windowAdd
  /// A window that was closed in the session.
  case windowClose
  /// A window that was renamed in the session.
  case windowRenamed
  /// A window that was created in another session.
  case unlinkedWindowAdd
  /// A window that was closed in another session.
  case unlinkedWindowClose
  /// A window that was renamed in another session.
  case unlinkedWindowRenamed
  /// A change of a window's active pane.
  case windowPaneChanged
  /// A change of the layout or the size of a window's panes.
  case layoutChange
  /// A change of a pane's mode.
  case paneModeChanged
  /// A switch of this client to another session, or its attachment to the first one.
  case sessionChanged
  /// A session that was renamed.
  case sessionRenamed
  /// A change of a session's current window.
  case sessionWindowChanged
  /// A session that was created or destroyed.
  case sessionsChanged
  /// A switch of another client to another session.
  case clientSessionChanged
  /// The detachment of another client.
  case clientDetached
  /// The restoration of a lost connection.
  case reconnected
  /// The end of the stream.
  case exit
  /// Any other message that tmux sends.
  case notice
}
