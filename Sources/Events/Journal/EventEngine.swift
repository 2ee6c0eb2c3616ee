public import Core

/// A log of events in order: SQLite's `EventLog`, or another engine that does the same.
///
/// Ids are unique among all logs, and within a log ordered by insertion.
public protocol EventEngine: Sendable {
  /// Appends events, either all or none; events with a known `srcId` are skipped.
  ///
  /// - Returns: The ids in order; for a skipped event its existing id.
  /// - Throws: `StorageFailed`; of the kind `corrupt` if another log was put in place meanwhile.
  func append(_ events: [EncodedEvent], at now: Timestamp) throws(Failure) -> [String]

  /// Returns the events after an id, and the gap before them; nil reads from the oldest event.
  ///
  /// - Throws: `StorageFailed`.
  func read(after last: String?, limit: Int) throws(Failure) -> EventBatch

  /// Returns the last events of an agent, in order.
  ///
  /// - Throws: `StorageFailed`.
  func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry]

  /// Returns the ids of the first and last stored events; nil if there are none.
  ///
  /// - Throws: `StorageFailed`.
  func ends() throws(Failure) -> (oldest: String, newest: String)?

  /// Starts to watch for new events.
  ///
  /// - Parameter interruption: Ends a wait.
  /// - Returns: The object to wait with.
  /// - Throws: `StorageFailed`.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp
}

extension EventEngine {
  /// Encodes and appends events; see ``append(_:at:)``.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot represent; `StorageFailed`.
  @discardableResult
  public func append(
    _ events: [any Event], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    try append(events.map { (event) throws(Failure) in try EncodedEvent(event) }, at: now)
  }
}

/// An engine that deletes old events itself, within bounds that a hub sets.
public protocol EventRetention: Sendable {
  /// Sets the bounds of the log; see ``EventLog/apply(_:processedUpTo:)``.
  ///
  /// - Throws: `StorageFailed`.
  func apply(_ bounds: EventBounds, processedUpTo processed: String?) throws(Failure)

  /// Records the last processed event; see ``EventLog/recordProcessed(upTo:at:)``.
  ///
  /// - Throws: `StorageFailed`.
  func recordProcessed(upTo id: String, at now: Timestamp) throws(Failure)
}

/// A wait for new events, for readers that have read all others.
public struct EventWakeUp: Sendable {
  /// Waits for up to some milliseconds, -1 for no limit; returns `true` if there may be new events.
  public typealias Wait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

  private let wait: Wait

  /// Creates a wait from an engine's function.
  public init(_ wait: @escaping Wait) { self.wait = wait }

  /// Waits for events that are newer than this object or the last wait.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: `true` if there may be new events.
  /// - Throws: `Interrupted` if the process is to end.
  public func mayHaveMore(within milliseconds: Int32) throws(Failure) -> Bool {
    try wait(milliseconds)
  }
}
