/// The permissions of a device at a hub.
public enum DeviceScope: String, Codable, Sendable, CaseIterable {
  /// The device may do everything that an operator may do.
  case all
  /// The device may only send agents' events.
  case events
  /// The device may only send events, of every kind. Another hub has this scope.
  case hub
  /// The device may only read and continue chats.
  case companion
}
