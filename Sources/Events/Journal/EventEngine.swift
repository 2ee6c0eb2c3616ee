public import Core

/// What keeps events in their order: SQLite's `EventLog`, or another that does the same.
///
/// An id tells an event apart from those of every other log, and ids are in the order in which events
/// were added.
public protocol EventEngine: Sendable {
  /// Adds events, all or none; one whose `srcId` is known is left out.
  ///
  /// - Returns: Their ids, in order; of one that was left out, the one it has.
  /// - Throws: `StorageFailed`; with the kind `corrupt` where the log has become another one just then.
  func append(_ events: [EncodedEvent], at now: Timestamp) throws(Failure) -> [String]

  /// The events after an id, and what is missing before them; nil reads from the oldest.
  ///
  /// - Throws: `StorageFailed`.
  func read(after last: String?, limit: Int) throws(Failure) -> EventBatch

  /// The last events of an agent, in their order.
  ///
  /// - Throws: `StorageFailed`.
  func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry]

  /// The ids of the first and the last event kept; nil where there is none.
  ///
  /// - Throws: `StorageFailed`.
  func ends() throws(Failure) -> (oldest: String, newest: String)?

  /// Begins to watch for more events.
  ///
  /// - Parameter interruption: Ends a wait.
  /// - Returns: What to wait with.
  /// - Throws: `StorageFailed`.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp
}

extension EventEngine {
  /// Encodes events and adds them; see ``append(_:at:)``.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot express; `StorageFailed`.
  @discardableResult
  public func append(
    _ events: [any Event], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    try append(events.map { (event) throws(Failure) in try EncodedEvent(event) }, at: now)
  }
}

/// An engine that removes old events itself, within bounds that a hub sets.
public protocol EventRetention: Sendable {
  /// Sets how much is kept from now on; see ``EventLog/keep(_:takenUpTo:)``.
  ///
  /// - Throws: `StorageFailed`.
  func keep(_ bounds: EventBounds, takenUpTo taken: String?) throws(Failure)

  /// Notes what was taken in; see ``EventLog/took(upTo:at:)``.
  ///
  /// - Throws: `StorageFailed`.
  func took(upTo id: String, at now: Timestamp) throws(Failure)
}

/// Lets somebody who has read all events wait for more.
public struct EventWakeUp: Sendable {
  /// Waits so many milliseconds at most, -1 for any; tells whether there may be more.
  public typealias Wait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

  private let wait: Wait

  /// Waits as an engine does.
  public init(_ wait: @escaping Wait) { self.wait = wait }

  /// Waits for more events since this was made or since the last wait.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on.
  /// - Returns: Whether there may be more.
  /// - Throws: `Interrupted` when the process is to end.
  public func mayHaveMore(within milliseconds: Int32) throws(Failure) -> Bool {
    try wait(milliseconds)
  }
}
