public import Core

/// Events of a log that follow each other.
public struct EventBatch: Sendable {
  /// One event as it is kept.
  public struct Entry: Sendable {
    /// The line that it is in a stream, with its id.
    public var line: String
    /// When it was logged, in milliseconds since 1970.
    public var loggedAt: Int64

    /// Creates the entry.
    public init(line: String, loggedAt: Int64) {
      self.line = line
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
