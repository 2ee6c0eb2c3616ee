/// A session of a terminal multiplexer.
public struct TerminalSession: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalSession"

  /// What the multiplexer calls it, such as `$0`.
  public var id: String
  /// What people call it.
  public var name: String
  /// The machine it is on.
  public var host: String
  /// The port of that machine's SSH server.
  public var port: Int?
  /// Whose it is.
  public var user: String?
  /// How one is let in.
  public var authMode: String?
  /// How many windows it has.
  public var windows: Int
  /// How many clients look at it.
  public var attached: Int
  /// When it was made.
  public var createdAt: Timestamp
  /// When something last happened in it.
  public var activityAt: Timestamp
  /// The folder that new windows begin in.
  public var path: String
  /// The columns of its current window.
  public var width: Int
  /// The lines of its current window.
  public var height: Int
  /// The agent that works in it.
  public var agentId: String?
  /// The swarm of that agent.
  public var swarmId: String?
  /// How it stands, where that is known.
  public var status: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
