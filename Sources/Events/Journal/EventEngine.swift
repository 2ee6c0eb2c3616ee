public import Core

/// An engine that stores a log of events in order.
///
/// SQLite's `EventLog` is one. Ids are unique among all logs. Within a log, they are ordered by
/// insertion.
public protocol EventEngine: Sendable {
  /// Appends the given events, either all or none.
  ///
  /// An event whose `srcId` is already in the log is skipped.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - now: The current time. An engine that several machines share uses its own clock instead.
  /// - Returns: One id for each event, in order. For a skipped event, it is the id of the stored
  ///   event.
  /// - Throws: `StorageFailed` if the log cannot be written; `StorageFailed` of kind `corrupt` if
  ///   the log was replaced.
  func append(_ events: [EncodedEvent], at now: Timestamp) throws(Failure) -> [String]

  /// Returns at most `limit` events after the event with the id `last`, and the gap before them, if
  /// any.
  ///
  /// If `last` is nil, reading starts at the oldest event.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  func read(after last: String?, limit: Int) throws(Failure) -> EventBatch

  /// Returns the last `count` events of the agent with the given id, in order.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry]

  /// Returns the ids of the oldest and newest stored events; nil if the log is empty.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  func ends() throws(Failure) -> (oldest: String, newest: String)?

  /// Starts to watch for new events.
  ///
  /// - Parameter interruption: The interruption that ends a wait.
  /// - Returns: The object that waits for new events.
  /// - Throws: `StorageFailed` if the log cannot be watched.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp
}

extension EventEngine {
  /// Encodes and appends the given events; see ``append(_:at:)``.
  ///
  /// - Throws: `BadInput` if JSON cannot represent an event; `StorageFailed` if the log cannot be
  ///   written.
  @discardableResult
  public func append(
    _ events: [any Event], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    try append(events.map { (event) throws(Failure) in try EncodedEvent(event) }, at: now)
  }
}

/// An engine that deletes old events itself, within bounds that a hub can set.
public protocol EventRetention: Sendable {
  /// Sets the bounds of the log; see ``EventLog/apply(_:processedUpTo:)``.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written.
  func apply(_ bounds: EventBounds, processedUpTo processed: String?) throws(Failure)

  /// Records the id of the last processed event; see ``EventLog/recordProcessed(upTo:at:)``.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written.
  func recordProcessed(upTo id: String, at now: Timestamp) throws(Failure)
}

/// A means to wait for new events, for a reader that has read all existing ones.
public struct EventWakeUp: Sendable {
  /// A function that waits for new events.
  ///
  /// It waits for at most the given number of milliseconds, or without limit if that is -1. It
  /// returns `true` if there may be new events.
  public typealias Wait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

  private let wait: Wait

  /// Creates an object that waits by calling the given function.
  public init(_ wait: @escaping Wait) { self.wait = wait }

  /// Waits for events that were added since this object was created or since the last wait.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: `true` if there may be new events.
  /// - Throws: `Interrupted` if the process is to end.
  public func mayHaveMore(within milliseconds: Int32) throws(Failure) -> Bool {
    try wait(milliseconds)
  }
}
