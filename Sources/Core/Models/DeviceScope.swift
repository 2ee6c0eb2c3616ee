/// What a device may do at a hub.
public enum DeviceScope: String, Codable, Sendable, CaseIterable {
  /// All that an operator may do.
  case all
  /// Send events of agents, and nothing else.
  case events
  /// Send every kind of event, as one hub does to another, and nothing else.
  case hub
  /// Read chats and go on with them, and nothing else.
  case companion
}
