/// A session of a terminal multiplexer.
public struct TerminalSession: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalSession"

  /// The id that the multiplexer gave the session, such as `$0`.
  public var id: String
  /// The display name.
  public var name: String
  /// The name of the host that the session runs on.
  public var host: String
  /// The port of the host's SSH server.
  public var port: Int?
  /// The name of the user who owns the session.
  public var user: String?
  /// The authentication method.
  public var authMode: String?
  /// The number of windows.
  public var windows: Int
  /// The number of attached clients.
  public var attached: Int
  /// The time of creation.
  public var createdAt: Timestamp
  /// The time of the last activity.
  public var activityAt: Timestamp
  /// The folder in which new windows start.
  public var path: String
  /// The number of columns of the current window.
  public var width: Int
  /// The number of lines of the current window.
  public var height: Int
  /// The id of the agent that works in the session.
  public var agentId: String?
  /// The swarm that the agent belongs to.
  public var swarmId: String?
  /// The agent's state, if known.
  public var status: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, host, port, user, authMode, windows, attached, createdAt, activityAt, path,
      width, height, agentId, swarmId, status, labels
  }

  /// Creates the record.
  public init(
    id: String, name: String, host: String, port: Int? = nil, user: String? = nil,
    authMode: String? = nil, windows: Int, attached: Int, createdAt: Timestamp,
    activityAt: Timestamp, path: String, width: Int, height: Int
  ) {
    self.id = id
    self.name = name
    self.host = host
    self.port = port
    self.user = user
    self.authMode = authMode
    self.windows = windows
    self.attached = attached
    self.createdAt = createdAt
    self.activityAt = activityAt
    self.path = path
    self.width = width
    self.height = height
  }
}
