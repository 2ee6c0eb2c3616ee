import Core
import Foundation

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
  /// A browser that is signed in, and the token that its forms carry.
  case browser(Device, formToken: String)

  /// The device; nil for the owner.
  var device: Device? {
    switch self {
    case .owner: nil
    case .device(let device), .browser(let device, _): device
    }
  }

  /// The id that marks the events of the visitor's device; nil for the owner.
  var deviceId: String? { device?.id }

  /// The visitor's name in the audit log.
  ///
  /// A device chooses its own name. If that is the name of the operator, or of a part of agentpipes
  /// that acts by itself, the name says that it is a device's.
  var name: String {
    guard let device else { return Self.ownersName }
    let isTaken = Self.takenNames.contains(Self.letters(of: device.name))
    return isTaken ? "\(device.name) (device)" : device.name
  }

  /// The actions that the visitor may take.
  var scope: DeviceScope { device.map { $0.scope ?? .events } ?? .all }

  private static let ownersName = LoginName.current
  /// The letters of the names that are not a device's.
  private static let takenNames = Set(
    [ownersName, "root", "agentpipes", "threshold", "nobody", "somebody"].map(letters))

  /// Returns the letters and digits of the given name, in lower case.
  ///
  /// Names that look equal, such as those with invisible or wide characters, have the same letters.
  private static func letters(of name: String) -> String {
    let scalars = name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
    return String(
      String.UnicodeScalarView(
        scalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }))
  }
}
