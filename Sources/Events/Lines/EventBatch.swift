public import Core

/// Consecutive events that were read from a log.
public struct EventBatch: Sendable {
  /// An event in the form in which it is stored.
  public struct Entry: Sendable {
    /// The event's id in its log.
    public let id: String
    /// The stored line.
    ///
    /// Lines from earlier versions contain an `id`.
    public let stored: String
    /// The time at which the event was logged, in milliseconds since 1970.
    public let loggedAt: Int64

    /// Creates the entry.
    public init(id: String, stored: String, loggedAt: Int64) {
      (self.id, self.stored, self.loggedAt) = (id, stored, loggedAt)
    }

    /// The event as a line of a stream.
    ///
    /// It includes the id.
    public var line: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes of ``line``.
    var bytes: [UInt8] { MemberSplice.id.setting(to: id, in: Array(stored.utf8)) }
  }

  /// The events.
  public var entries: [Entry]
  /// The id of the last event; nil if the batch is empty.
  public var last: String?
  /// The gap between the requested id and the first event; nil if no events are missing.
  public var gap: Gap?

  /// Creates the batch.
  public init(entries: [Entry] = [], last: String? = nil, gap: Gap? = nil) {
    self.entries = entries
    self.last = last
    self.gap = gap
  }
}
