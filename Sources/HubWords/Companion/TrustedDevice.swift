public import Core

/// A paired device, in the form that companions receive.
public struct TrustedDevice: HubWord {
  /// The device's id, which is derived from its key.
  public var id: String
  /// The display name.
  public var name: String
  /// The time at which the device first paired.
  public var pairedAt: Timestamp
  /// The time of the device's last request.
  public var lastSeenAt: Timestamp
  /// The time at which the device last paired.
  ///
  /// Only the hub's operator receives it. It is nil for others, and after the device disconnected.
  public var connectedAt: Timestamp?
  /// The way in which the device authenticates: `address` or `signed`.
  ///
  /// Only the hub's operator receives it. It is nil for others.
  public var auth: String?
  /// The way in which the device paired: `qr` or `code`.
  ///
  /// Only the hub's operator receives it. It is nil for others.
  public var via: String?

  /// Creates the description.
  ///
  /// It has only the members that every companion receives.
  public init(id: String, name: String, pairedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.pairedAt, self.lastSeenAt) = (pairedAt, lastSeenAt)
  }

  /// A sentence that warns the operator that the device is recognized by its address; nil if it
  /// signs.
  public var unsignedNote: String? {
    guard auth == "address" else { return nil }
    return
      "'\(Visible.line(name))' has not signed a request: its address alone identifies it until"
      + " it does; after 30 days away it must pair again"
  }
}
