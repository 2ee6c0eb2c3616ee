public import Core

/// Events of a log that follow each other.
public struct EventBatch: Sendable {
  /// One event as it is read.
  public struct Entry: Sendable {
    /// The event's id in its log.
    public let id: String
    /// The line as it is stored; earlier versions wrote an `id` into it.
    public let stored: String
    /// When it was logged, in milliseconds since 1970.
    public let loggedAt: Int64

    /// Creates the entry.
    public init(id: String, stored: String, loggedAt: Int64) {
      (self.id, self.stored, self.loggedAt) = (id, stored, loggedAt)
    }

    /// The event as a line of a stream, with the id.
    public var line: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes of ``line``.
    var bytes: [UInt8] { MemberSplice.id.setting(to: id, in: Array(stored.utf8)) }
  }

  /// The events.
  public var entries: [Entry]
  /// The id of the last of them; nil where there is none.
  public var last: String?
  /// What lies between the id that was asked for and the first event, where something does.
  public var gap: Gap?

  /// Creates the batch.
  public init(entries: [Entry] = [], last: String? = nil, gap: Gap? = nil) {
    self.entries = entries
    self.last = last
    self.gap = gap
  }
}
