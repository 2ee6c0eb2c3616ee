public import Core

/// Events of a log that follow each other.
public struct EventBatch: Sendable {
  /// One event as it is read.
  public struct Entry: Sendable {
    /// The event's id in its log.
    public let id: String
    /// The event as a line of a stream, with the id.
    public let line: String
    /// When it was logged, in milliseconds since 1970.
    public let loggedAt: Int64

    /// Creates the entry of a stored event.
    ///
    /// - Parameters:
    ///   - id: The event's id, which stands beside the line in the log.
    ///   - stored: The line; the `id` that earlier versions wrote into it is replaced.
    ///   - loggedAt: When it was logged, in milliseconds since 1970.
    public init(id: String, stored: String, loggedAt: Int64) {
      self.id = id
      line = String(
        decoding: MemberSplice.setting("id", to: id, in: Array(stored.utf8)), as: UTF8.self)
      self.loggedAt = loggedAt
    }
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
