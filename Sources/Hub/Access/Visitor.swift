import Core

extension DeviceScope {
  /// The permissions in words, as in "only allows reading".
  var meaning: String {
    switch self {
    case .all: "everything"
    case .events, .hub: "sending events"
    case .companion: "chats"
    case .read: "reading"
    case .decide: "reading, and deciding gates"
    case .steer: "reading, deciding gates, and controlling agents"
    }
  }
}

/// The sender of a request, after authentication.
enum Visitor: Sendable, Hashable {
  /// The user that the hub runs as, on the hub's machine.
  case owner
  /// A device that has registered or paired.
  case device(Device)

  /// The device; nil for the owner.
  var device: Device? {
    guard case .device(let device) = self else { return nil }
    return device
  }

  /// The id that marks the events of the visitor's device; nil for the owner.
  var deviceId: String? { device?.id }

  /// The visitor's name in the audit log.
  var name: String { device?.name ?? Self.ownersName }

  /// The actions that the visitor may take.
  var scope: DeviceScope { device.map { $0.scope ?? .events } ?? .all }

  private static let ownersName = LoginName.current
}
