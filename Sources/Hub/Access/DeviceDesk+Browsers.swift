import Core
import Storage
import Tokens

/// Browsers that are signed in.
extension DeviceDesk {
  /// Adds a browser that was signed in, and returns it with the token for its cookie.
  ///
  /// - Parameters:
  ///   - name: The browser's name.
  ///   - scope: One of `DeviceScope.browsers`.
  ///   - kind: The kind of its token.
  ///   - host: The id of the device that signed the browser in; nil for the operator.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The browser and the token.
  /// - Throws: `DeviceRevoked` if that device is revoked; `StorageFailed` if the store cannot be
  ///   written.
  func add(
    browser name: String, _ scope: DeviceScope, _ kind: AccessToken = .browser, by host: String?,
    at now: Timestamp? = nil
  ) throws(Failure) -> (browser: Device, token: String) {
    let token = kind.make()
    if let host, let device = try self.device(host), device.revoked {
      throw Self.revoked(device)
    }
    return try own.base.write { rows in
      let now = now ?? rows.now
      try rows.removeBrowsers(endedBefore: now.adding(seconds: -Self.lifetime(ofBrowser: .read)))
      var browser = Device(id: Identifier.make(), name: name, scope: scope, createdAt: now)
      (browser.via, browser.signedInBy, browser.lastSeenAt) = ("page", host, now)
      try rows.add(browser, publicKey: [], pushToken: nil)
      try rows.add(
        token,
        as: .init(
          digest: AccessToken.digest(token), deviceId: browser.id, generation: 0, isRefresh: false,
          expiresAt: now.adding(seconds: Self.lifetime(ofBrowser: scope))))
      return (browser, token)
    }
  }

  /// The lifetime in seconds of a browser's access after its last request: 12 hours if it may
  /// control agents, or else 30 days.
  static func lifetime(ofBrowser scope: DeviceScope) -> Double {
    scope == .steer ? 12 * 3600 : 30 * 86_400
  }

  /// Returns the browser that has the given token, and `true` if its access is due to be extended.
  ///
  /// - Throws: `AuthExpired` if the token is unknown or expired; `StorageFailed` if the store cannot
  ///   be read.
  func browser(
    _ token: String, at now: Timestamp
  ) throws(Failure) -> (browser: Device, isDue: Bool) {
    guard let kind = AccessToken.kind(token), [.browser, .ownBrowser].contains(kind) else {
      throw BrowserCookie.missing
    }
    let found = try own.base.read { (rows) throws -> (browser: Device, isDue: Bool) in
      guard let stored = try rows.token(token), stored.expiresAt > now,
        let device = try rows.device(stored.deviceId)?.device, !device.revoked,
        let scope = device.scope
      else { throw BrowserCookie.missing }
      let left = stored.expiresAt.seconds(since: now)
      return (device, left < Self.lifetime(ofBrowser: scope) - Self.extensionPause)
    }
    if let host = found.browser.signedInBy, try device(host)?.revoked ?? true {
      throw BrowserCookie.missing
    }
    return found
  }

  /// Returns the registered device with the given id.
  private func device(_ id: String) throws(Failure) -> Device? {
    try store.base.read { try $0.device(id)?.device }
  }

  /// Returns `true` if the given device has a push token.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func hasPushToken(_ device: String) throws(Failure) -> Bool {
    try own.base.read {
      try $0.has("SELECT 1 FROM device WHERE id = ? AND pushToken IS NOT NULL", [device])
    }
  }

  /// The number of seconds for which a browser's access is not extended again.
  private static let extensionPause = 60.0

  /// Extends the access of the given browser, which has just sent a request.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func extend(_ token: String, of browser: Device, at now: Timestamp) throws(Failure) {
    try own.base.write { rows in
      // It may have been revoked in the meantime.
      guard let row = try rows.device(browser.id), !row.device.revoked, let scope = browser.scope
      else { return }
      try rows.extend(token, to: now.adding(seconds: Self.lifetime(ofBrowser: scope)))
      try rows.update(row.device.with { $0.lastSeenAt = now })
    }
  }
}
