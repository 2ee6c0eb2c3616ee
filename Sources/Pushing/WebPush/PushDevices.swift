import Core
import HubWords
import Storage
import Synchronization

/// The browsers that subscribed on the page of this machine's hub.
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

  /// Returns the devices that have a subscription, in the order of their registration.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func all() throws(Failure) -> [Device] {
    guard let store = try store() else { return [] }
    return try store.base.read { rows in
      let found = try rows.all(
        """
        SELECT record, pushToken FROM device WHERE pushToken IS NOT NULL AND revokedAt IS NULL
        ORDER BY id
        """
      ) { row in (record: try row["record"] as String, token: try row["pushToken"] as String) }
      return found.compactMap { Self.browser($0.record, $0.token)?.device }
    }
  }

  /// Returns the current subscription of the given device; nil if it has none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func subscription(of device: String) throws(Failure) -> PushSubscription? {
    guard let store = try store() else { return nil }
    return try store.base.read { rows in
      let found = try rows.first(
        """
        SELECT record, pushToken FROM device
        WHERE id = ? AND pushToken IS NOT NULL AND revokedAt IS NULL
        """, [device]
      ) { row in (record: try row["record"] as String, token: try row["pushToken"] as String) }
      return found.flatMap { Self.browser($0.record, $0.token)?.subscription }
    }
  }

  /// Removes the given subscription, unless the device has renewed it.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func remove(_ subscription: PushSubscription, of device: String) throws(Failure) {
    guard let store = try store() else { return }
    try store.base.write { rows in
      let token = try rows.value(
        String?.self, "SELECT pushToken FROM device WHERE id = ?", [device])
      guard token.flatMap({ $0 }).flatMap(Self.subscription)?.endpoint == subscription.endpoint
      else { return }
      try rows.run("UPDATE device SET pushToken = NULL WHERE id = ?", [device])
    }
  }

  /// Returns the device of the given record with its subscription; nil if it is not a browser that may
  /// read alerts.
  private static func browser(
    _ record: String, _ token: String
  ) -> (device: Device, subscription: PushSubscription)? {
    // Any registered device can store a push token, also one that may only send events.
    guard let device = try? Device(json: record), device.via == "page",
      device.scope?.covers(.read) ?? false, let found = subscription(token)
    else { return nil }
    return (device, found)
  }

  /// Returns the subscription that the given push token is; nil if it is another kind of token.
  private static func subscription(_ token: String) -> PushSubscription? {
    let found = try? PushSubscription(json: Array(token.utf8))
    return (try? found?.check()) == nil ? nil : found
  }
}
