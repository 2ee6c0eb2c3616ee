public import Core

/// A device that paired, as a companion is told of it.
public struct TrustedDevice: Codable, Sendable, Hashable {
  /// Its id, from its key.
  public var id: String
  /// What it is called.
  public var name: String
  /// When it first paired.
  public var pairedAt: Timestamp
  /// When it last asked for something.
  public var lastSeenAt: Timestamp

  /// Creates the description.
  public init(id: String, name: String, pairedAt: Timestamp, lastSeenAt: Timestamp) {
    (self.id, self.name) = (id, name)
    (self.pairedAt, self.lastSeenAt) = (pairedAt, lastSeenAt)
  }
}
