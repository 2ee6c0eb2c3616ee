public import Core
import Foundation
import Synchronization

/// The access to the event log, which all readers and writers of events use.
///
/// The log is opened on first use and stays open.
public final class EventJournal: Sendable {
  private struct State {
    var engine: (any EventEngine)?
    /// `true` after a write failed and the failure was reported, until a write succeeds.
    var hasFailed = false
    /// The number of events that ``EventJournal/record(_:)`` could not append.
    var lostCount = 0
  }

  private let place: EventPlace
  /// Receives reports of failures.
  public let report: NoticeHandler
  private let state = Mutex(State())

  /// Creates a journal without opening the log.
  ///
  /// - Parameters:
  ///   - place: The place of the log.
  ///   - report: The receiver of the failures of ``record(_:)``.
  public init(_ place: EventPlace, report: @escaping NoticeHandler = { _ in }) {
    self.place = place
    self.report = report
  }

  /// Creates the journal in the given directories without opening the log.
  public convenience init(_ directories: Directories, report: @escaping NoticeHandler = { _ in }) {
    self.init(.database(directories), report: report)
  }

  /// Opens the journal in the given directories, and creates its log if there is none.
  ///
  /// - Throws: `StorageFailed` if the log cannot be opened.
  public convenience init(opening directories: Directories) throws(Failure) {
    try self.init(opening: .database(directories))
  }

  /// Opens the journal at the given place, and creates its log if there is none.
  ///
  /// - Throws: `StorageFailed` if the log cannot be opened.
  public convenience init(opening place: EventPlace) throws(Failure) {
    self.init(place)
    _ = try engine()
  }

  /// Opens the journal in the given directories; returns nil if it has no log.
  ///
  /// - Throws: `StorageFailed` if the log cannot be opened.
  public convenience init?(existingIn directories: Directories) throws(Failure) {
    guard access(EventLog.path(directories), F_OK) == 0 else { return nil }
    try self.init(opening: directories)
  }

  private func engine() throws(Failure) -> any EventEngine {
    try state.withLock { (state) throws(Failure) in
      if let engine = state.engine { return engine }
      let engine = try place.open()
      state.engine = engine
      return engine
    }
  }

  // MARK: Writing

  /// Appends the given events, either all or none.
  ///
  /// An event whose `srcId` is already in the log is skipped.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - now: The current time.
  /// - Returns: One id for each event, in order. For a skipped event, it is the id of the stored
  ///   event.
  /// - Throws: `StorageFailed` if the log cannot be written.
  @discardableResult
  public func append(
    _ events: [EncodedEvent], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    let engine = try engine()
    do throws(Failure) {
      return try engine.append(events, at: now)
    } catch {
      // The log may have been replaced since it was opened.
      guard error.kind == .corrupt else { throw error }
      return try engine.append(events, at: now)
    }
  }

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

  /// Appends the given events if possible.
  ///
  /// A failure is not thrown. The first of consecutive failures is reported to ``report``.
  @discardableResult
  public func record(_ events: [EncodedEvent]) -> Int {
    guard !events.isEmpty else { return 0 }
    do throws(Failure) {
      try append(events)
      state.withLock { $0.hasFailed = false }
    } catch {
      let isFirst = state.withLock { state in
        state.lostCount += events.count
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { report("cannot store events: \(error.sentence)") }
    }
    return 0
  }

  /// The number of events so far that ``record(_:)`` could not append.
  public var lostCount: Int { state.withLock { $0.lostCount } }

  /// Sets the bounds of the log for all writers; see ``EventLog/apply(_:processedUpTo:)``.
  ///
  /// Has no effect if the engine does not delete old events itself.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written.
  public func apply(_ bounds: EventBounds, processedUpTo processed: String?) throws(Failure) {
    try (engine() as? any EventRetention)?.apply(bounds, processedUpTo: processed)
  }

  /// Records the last event that a watcher has processed; see
  /// ``EventLog/recordProcessed(upTo:at:)``.
  ///
  /// A failure is ignored. It only makes the log keep more events.
  public func recordProcessed(upTo id: String, at now: Timestamp = .now) {
    try? (engine() as? any EventRetention)?.recordProcessed(upTo: id, at: now)
  }

  // MARK: Reading

  /// Returns the events after the event with the id `last`.
  ///
  /// - Parameters:
  ///   - last: The id of the last event that was read. If it is nil or belongs to another log,
  ///     reading starts at the oldest event.
  ///   - limit: The largest number of events.
  /// - Returns: The events in order, and the gap before them, if any.
  /// - Throws: `StorageFailed` if the log cannot be read.
  public func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    try engine().read(after: last, limit: limit)
  }

  /// Returns the events after the event with the id `last`; does not create a missing log.
  ///
  /// - Returns: The events, as from ``read(after:limit:)``; nil if there is no log.
  /// - Throws: `StorageFailed` if the log cannot be read.
  public func readExisting(after last: String?, limit: Int) throws(Failure) -> EventBatch? {
    guard place.holdsLog() else { return nil }
    let engine = try engine()
    do throws(Failure) {
      return try engine.read(after: last, limit: limit)
    } catch {
      // The log may have been removed or replaced during the read.
      guard place.holdsLog() else { return nil }
      return try engine.read(after: last, limit: limit)
    }
  }

  /// Returns the last `count` events of the agent with the given id, in order.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  public func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry] {
    try engine().last(count, ofAgent: id)
  }

  /// Returns the ids of the oldest and newest stored events; nil if the log is empty.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  public func ends() throws(Failure) -> (oldest: String, newest: String)? {
    try engine().ends()
  }

  /// Opens the log and starts to watch for new events.
  ///
  /// - Parameter interruption: The interruption that ends a wait.
  /// - Returns: The object that waits for new events.
  /// - Throws: `StorageFailed` if the log cannot be opened or watched.
  public func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    try engine().wakeUp(interruption)
  }
}
