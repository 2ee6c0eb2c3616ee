import Core

/// The sender of a request, as a hub knows them.
enum Visitor: Sendable, Hashable {
  /// The owner, on the hub's machine.
  case owner
  /// A device that registered or paired.
  case device(Device)

  /// The device; nil for the owner.
  var device: Device? {
    guard case .device(let device) = self else { return nil }
    return device
  }

  /// Tells the visitor's events from those of others; the owner has none.
  var deviceId: String? { device?.id }

  /// The name that the audit records.
  var name: String { device?.name ?? Self.ownersName }

  /// The actions that the visitor may take.
  var scope: DeviceScope { device.map { $0.scope ?? .events } ?? .all }

  private static let ownersName = LoginName.current
}
