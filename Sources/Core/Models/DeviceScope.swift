/// The permissions of a device at a hub.
public enum DeviceScope: String, Codable, Sendable, CaseIterable {
  /// Everything that an operator may do.
  case all
  /// Sending events of agents only.
  case events
  /// Sending events of every kind only, as one hub does to another.
  case hub
  /// Reading and continuing chats only.
  case companion
}
