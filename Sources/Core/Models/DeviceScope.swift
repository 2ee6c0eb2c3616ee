/// The permissions of a device at a hub.
public enum DeviceScope: String, Codable, Sendable, CaseIterable {
  /// Everything that an operator may do.
  case all
  /// Only sending agents' events.
  case events
  /// Only sending events of every kind, as one hub does to another.
  case hub
  /// Only reading and continuing chats.
  case companion
}
