public import Core

/// A receiver of events: the log of this machine, or a sender to that of another.
public protocol EventSink: Sendable {
  /// Receives a sentence about each failure to store events.
  var note: Note { get }

  /// `true` if there is room for more events.
  var hasRoom: Bool { get }

  /// Records events if possible; failures are reported and stop nothing.
  ///
  /// - Returns: The number of events that were dropped for lack of room.
  @discardableResult
  func record(_ events: [EncodedEvent]) -> Int

  /// Waits until all recorded events are in the log.
  ///
  /// - Parameter seconds: The longest wait.
  /// - Returns: `true` if the events are in the log.
  @discardableResult
  func settle(within seconds: Double) -> Bool

  /// Passes on the remaining events; the sink accepts no more.
  ///
  /// - Parameter seconds: The longest wait.
  func end(within seconds: Double)
}

extension EventSink {
  /// `true`, since a log has room for all events.
  public var hasRoom: Bool { true }

  /// Encodes and records events; see ``record(_:)``.
  public func record(_ events: [any Event]) { record(events.compactMap { encoded($0) }) }

  /// Encodes an event; reports an event that JSON cannot represent and returns nil.
  func encoded(_ event: any Event) -> EncodedEvent? {
    do throws(Failure) {
      return try EncodedEvent(event)
    } catch {
      note("cannot store an event: \(error.explanation)")
      return nil
    }
  }

  /// Runs work that records events, then passes on the remaining events, even if the work throws.
  ///
  /// - Throws: What `work` throws.
  public func finishing(_ work: () async throws(Failure) -> Void) async throws(Failure) {
    let ending = Blocking("events.end")
    do throws(Failure) {
      try await work()
    } catch {
      await ending.run { end(within: 10) }
      throw error
    }
    await ending.run { end(within: 10) }
  }
}

extension EventJournal: EventSink {
  /// Returns `true`: recorded events are already written.
  @discardableResult
  public func settle(within seconds: Double) -> Bool { true }

  /// Does nothing, since no events wait.
  public func end(within seconds: Double) {}
}
