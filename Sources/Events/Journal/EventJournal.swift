public import Core
import Foundation
import Synchronization

/// The one way to the event log: whoever tells or reads events does so through a journal, and nothing
/// else writes the log.
///
/// The log is opened once, for the first who needs it, and stays open.
public final class EventJournal: Sendable {
  private struct State {
    var engine: (any EventEngine)?
    /// Whether it was told that events are not kept, and none has been since.
    var hasFailed = false
  }

  private let place: EventPlace
  /// Where to complain.
  public let note: Note
  private let state = Mutex(State())

  /// Prepares a journal; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - place: Where the log is.
  ///   - note: Is told once when ``record(_:)`` cannot keep events; who calls nothing that keeps
  ///     silent needs none.
  public init(_ place: EventPlace, note: @escaping Note = { _ in }) {
    self.place = place
    self.note = note
  }

  /// Prepares the journal of some directories.
  public convenience init(_ directories: Directories, note: @escaping Note = { _ in }) {
    self.init(.database(directories), note: note)
  }

  /// Opens the journal of some directories, and makes the log where there is none.
  ///
  /// - Throws: `StorageFailed`.
  public convenience init(opening directories: Directories) throws(Failure) {
    self.init(directories)
    _ = try engine()
  }

  /// Opens the journal of some directories if there is one; makes none.
  ///
  /// - Throws: `StorageFailed`.
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

  /// Adds events, all or none; one whose `srcId` the log has is left out.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - now: The present.
  /// - Returns: Their ids, in order; of one that was left out, the one it has.
  /// - Throws: `StorageFailed`.
  @discardableResult
  public func append(
    _ events: [EncodedEvent], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    let engine = try engine()
    do throws(Failure) {
      return try engine.append(events, at: now)
    } catch {
      // The log may have become another one just then.
      guard error.kind == .corrupt else { throw error }
      return try engine.append(events, at: now)
    }
  }

  /// Encodes events and adds them; see ``append(_:at:)``.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot express; `StorageFailed`.
  @discardableResult
  public func append(
    _ events: [any Event], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    try append(events.map { (event) throws(Failure) in try EncodedEvent(event) }, at: now)
  }

  /// Adds events where that can be done; where it cannot, that is told once and holds up nobody.
  @discardableResult
  public func record(_ events: [EncodedEvent]) -> Int {
    guard !events.isEmpty else { return 0 }
    do throws(Failure) {
      try append(events)
      state.withLock { $0.hasFailed = false }
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { note("cannot store events: \(error.explanation)") }
    }
    return 0
  }

  /// Sets how much is kept from now on by whoever writes the log, where that removes old events itself;
  /// see ``EventLog/keep(_:takenUpTo:)``.
  ///
  /// - Throws: `StorageFailed`.
  public func keep(_ bounds: EventBounds, takenUpTo taken: String?) throws(Failure) {
    try (engine() as? any EventRetention)?.keep(bounds, takenUpTo: taken)
  }

  /// Notes what was taken in by who watches the log; see ``EventLog/took(upTo:at:)``.
  ///
  /// Where that cannot be written, more is kept.
  public func took(upTo id: String, at now: Timestamp = .now) {
    try? (engine() as? any EventRetention)?.took(upTo: id, at: now)
  }

  // MARK: Reading

  /// The events after an id.
  ///
  /// - Parameters:
  ///   - last: The id read last; nil, or an id of another log, reads from the oldest event kept.
  ///   - limit: How many at most.
  /// - Returns: The events in their order, and what is missing before them.
  /// - Throws: `StorageFailed`.
  public func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    try engine().read(after: last, limit: limit)
  }

  /// The events after an id, where there is a log; none is made.
  ///
  /// - Returns: As ``read(after:limit:)``; nil where there is no log.
  /// - Throws: `StorageFailed`.
  public func readExisting(after last: String?, limit: Int) throws(Failure) -> EventBatch? {
    guard place.holdsLog() else { return nil }
    let engine = try engine()
    do throws(Failure) {
      return try engine.read(after: last, limit: limit)
    } catch {
      // The log may have gone, or become another one, just then.
      guard place.holdsLog() else { return nil }
      return try engine.read(after: last, limit: limit)
    }
  }

  /// The last events of an agent, in their order.
  ///
  /// - Throws: `StorageFailed`.
  public func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry] {
    try engine().last(count, ofAgent: id)
  }

  /// The ids of the first and the last event kept; nil where there is none.
  ///
  /// - Throws: `StorageFailed`.
  public func ends() throws(Failure) -> (oldest: String, newest: String)? {
    try engine().ends()
  }

  /// What tells from now on that there may be more events; opens the log.
  ///
  /// - Parameter interruption: Ends a wait.
  /// - Returns: What to wait with.
  /// - Throws: `StorageFailed`.
  public func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    try engine().wakeUp(interruption)
  }
}
