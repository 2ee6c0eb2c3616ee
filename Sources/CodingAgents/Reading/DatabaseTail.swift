public import Core

/// A reader of a database of sessions that grows.
///
/// It reads sessions whole that have changed. Entries of one thing have the same id, so that the
/// receiver can skip those that it has.
public struct DatabaseTail: Codable, Sendable {
  /// The time before the last read in which a change may have been committed late, in seconds.
  private static let overlap = 60.0

  /// The path of the database.
  public let path: String
  /// The time since which changes were not read.
  public private(set) var since: Timestamp

  /// Creates a reader of the sessions that have changed since the given time.
  public init(_ path: String, since: Timestamp) { (self.path, self.since) = (path, since) }

  /// Reads the sessions that have changed since the last read, and the given others.
  ///
  /// - Parameters:
  ///   - others: The ids of sessions that are active; a message may grow without a change of its
  ///     session.
  ///   - interruption: Ends the read.
  ///   - deliver: Receives the entries in order.
  /// - Throws: `BadInput` if the file is not a database of OpenCode; `Interrupted`.
  public mutating func read(
    and others: Set<String>, _ interruption: Interruption, to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    let began = Timestamp.now.adding(seconds: -Self.overlap)
    try OpenCodeDatabase(path).read(
      .noText, since: since, and: others, interruption, to: deliver,
      endingGroup: { () throws(Failure) in })
    since = max(since, began)
  }
}
