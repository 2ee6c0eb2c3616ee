public import Core

/// A paired device, as reported to a companion.
public struct TrustedDevice: HubWord {
  /// The device's id, derived from its key.
  public var id: String
  /// The display name.
  public var name: String
  /// The time of the first pairing.
  public var pairedAt: Timestamp
  /// The time of the last request.
  public var lastSeenAt: Timestamp
  /// The time of the last pairing, for the hub's operator; nil for other readers, and after a
  /// disconnect.
  public var connectedAt: Timestamp?
  /// The authentication, `address` or `signed`, for the hub's operator; nil for other readers.
  public var auth: String?
  /// The way of pairing, `qr` or `code`, for the hub's operator; nil for other readers.
  public var via: String?

  /// Creates the description with the members that every companion receives.
  public init(id: String, name: String, pairedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.pairedAt, self.lastSeenAt) = (pairedAt, lastSeenAt)
  }

  /// A note to the operator if the device is authenticated by address; nil if it signs.
  public var unsignedNote: String? {
    guard auth == "address" else { return nil }
    return
      "'\(Visible.line(name))' has not signed a request: its address alone identifies it until"
      + " it does; after 30 days away it must pair again"
  }
}
