/// Something that happened to a terminal, or to the way its output comes, beside the output itself.
public struct TerminalEvent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalEvent"

  /// When it was told of, in milliseconds since 1970.
  public var ts: Int64
  /// What happened.
  public var event: TerminalEventKind
  /// The session that it is about, such as `$0`.
  public var sessionId: String?
  /// The window that it is about, such as `@0`.
  public var windowId: String?
  /// The pane that it is about, such as `%0`.
  public var paneId: String?
  /// What the session, the window or the client is called now.
  public var name: String?
  /// How the panes of the window lie, in tmux's own words.
  public var layout: String?
  /// Why it happened.
  public var reason: String?
  /// What was said, in tmux's own words.
  public var text: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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

/// What may happen to a terminal.
public enum TerminalEventKind: String, Codable, Sendable, CaseIterable {
  /// The pane's output is left out from here, because it was not read fast enough.
  case pause
  /// The pane's output goes on.
  case goesOn = "continue"
  /// A window came to the session.
  case windowAdd
  /// A window of the session is gone.
  case windowClose
  /// A window of the session has another name.
  case windowRenamed
  /// A window came to another session.
  case unlinkedWindowAdd
  /// A window that is not in the session is gone.
  case unlinkedWindowClose
  /// A window that is not in the session has another name.
  case unlinkedWindowRenamed
  /// Another pane of the window is the active one.
  case windowPaneChanged
  /// The panes of a window lie otherwise, or have another size.
  case layoutChange
  /// A pane went to another mode, or back.
  case paneModeChanged
  /// Another session is looked at from here, or the first.
  case sessionChanged
  /// A session has another name.
  case sessionRenamed
  /// A session has another current window.
  case sessionWindowChanged
  /// A session was made or is gone.
  case sessionsChanged
  /// Another client looks at another session.
  case clientSessionChanged
  /// Another client looks no more.
  case clientDetached
  /// The connection was lost and is there again.
  case reconnected
  /// Nothing more is told.
  case exit
  /// Something else that tmux said.
  case notice
}
