import Core
import HubWords
import Storage
import Synchronization

/// The place at which a device receives messages, as its push token names it.
enum DevicePlace: Sendable, Hashable {
  /// A browser that subscribed on the hub's page.
  case browser(PushSubscription)
  /// An app on a device of Apple: its token in hexadecimal digits.
  case app(String)

  /// The part of the place that a push service knows.
  var address: String {
    switch self {
    case .browser(let subscription): subscription.endpoint
    case .app(let token): token
    }
  }

  /// Reads the given push token; returns nil if it is of another kind.
  init?(_ token: String) {
    if let found = try? PushSubscription(json: Array(token.utf8)), (try? found.check()) != nil {
      self = .browser(found)
    } else if (64...200).contains(token.utf8.count),
      token.utf8.allSatisfy({ $0.isDigit || 0x61...0x66 ~= $0 | 0x20 })
    {
      self = .app(token)
    } else {
      return nil
    }
  }
}

/// The devices of this machine's hub that asked for notifications.
final class PushDevices: Sendable {
  private let directories: Directories
  /// The store, once it exists.
  private let opened = Mutex<Store?>(nil)

  /// Creates the list for the hub with the given directories.
  init(_ directories: Directories) { self.directories = directories }

  private func store() throws(Failure) -> Store? {
    if let store = opened.withLock(\.self) { return store }
    let store = try Store(existingIn: directories)
    opened.withLock { $0 = store }
    return store
  }

  /// Returns the devices that asked for notifications, in the order of their registration.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func all() throws(Failure) -> [(device: Device, place: DevicePlace)] {
    try find("pushToken IS NOT NULL ORDER BY id", [])
  }

  /// Returns the place of the given device; nil if it no longer asks for notifications.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func place(of device: String) throws(Failure) -> DevicePlace? {
    try find("pushToken IS NOT NULL AND id = ?", [device]).first?.place
  }

  /// Removes the given place, unless the device has another one by now.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func remove(_ place: DevicePlace, of device: String) throws(Failure) {
    guard let store = try store() else { return }
    try store.base.write { rows in
      let token = try rows.value(
        String?.self, "SELECT pushToken FROM device WHERE id = ?", [device])
      guard token.flatMap({ $0 }).flatMap(DevicePlace.init)?.address == place.address else {
        return
      }
      try rows.run("UPDATE device SET pushToken = NULL WHERE id = ?", [device])
    }
  }

  private func find(
    _ condition: String, _ parameters: Rows.Parameters
  ) throws(Failure) -> [(device: Device, place: DevicePlace)] {
    guard let store = try store() else { return [] }
    return try store.base.read { rows in
      let found = try rows.all(
        "SELECT record, pushToken FROM device WHERE revokedAt IS NULL AND \(condition)", parameters
      ) { row in (record: try row["record"] as String, token: try row["pushToken"] as String) }
      return found.compactMap { record, token in
        // Any registered device can store a push token, also one that may only send events.
        guard let device = try? Device(json: record), device.scope?.covers(.read) ?? false,
          let place = DevicePlace(token)
        else { return nil }
        if case .browser = place, device.via != "page" { return nil }
        return (device, place)
      }
    }
  }
}
