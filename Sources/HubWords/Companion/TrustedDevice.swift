public import Core

/// A device that paired, as a companion is told of it.
public struct TrustedDevice: HubWord {
  /// Its id, from its key.
  public var id: String
  /// What it is called.
  public var name: String
  /// When it first paired.
  public var pairedAt: Timestamp
  /// When it last asked for something.
  public var lastSeenAt: Timestamp
  /// When it last completed pairing, for the hub's operator; nil for others, and once it disconnected.
  public var connectedAt: Timestamp?
  /// How it shows who it is, `address` or `signed`, for the hub's operator; nil for others.
  public var auth: String?
  /// How it paired, `qr` or `code`, for the hub's operator; nil for others.
  public var via: String?

  /// Creates the description as every companion is told it.
  public init(id: String, name: String, pairedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.pairedAt, self.lastSeenAt) = (pairedAt, lastSeenAt)
  }

  /// The sentence for the operator about a device that is known by its address; nil for one that signs.
  public var unsignedNote: String? {
    guard auth == "address" else { return nil }
    return
      "'\(Visible.line(name))' has not signed a request: its address alone identifies it until"
      + " it does; after 30 days away it must pair again"
  }
}
