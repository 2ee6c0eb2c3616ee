/// The permissions of a device at a hub.
public enum DeviceScope: String, Codable, Sendable, CaseIterable {
  /// The device may do everything that an operator may do.
  case all
  /// The device may only send agents' events, open gates, and receive controls of its agents.
  case events
  /// The device may only send events, of every kind. Another hub has this scope.
  case hub
  /// The device may only read and continue chats.
  case companion
  /// The device may only read the state of agents.
  case read
  /// The device may read the state of agents, and decide gates.
  case decide
  /// The device may read the state of agents, decide gates, and control agents.
  case steer

  /// The scopes of a browser that is signed in to the hub's page, the least first.
  public static let browsers: [DeviceScope] = [.read, .decide, .steer]

  /// Returns `true` if the scope has all permissions of the given scope.
  public func covers(_ other: DeviceScope) -> Bool {
    let order = Self.browsers + [.all]
    guard let own = order.firstIndex(of: self), let needed = order.firstIndex(of: other) else {
      return self == other
    }
    return own >= needed
  }

  /// `true` if the device may send events.
  public var sendsEvents: Bool { [.all, .events, .hub].contains(self) }
}
