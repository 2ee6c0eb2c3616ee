public import Core

/// A receiver of events: the log of this machine, or a sender to the log of another machine.
public protocol EventSink: Sendable {
  /// The function that receives one sentence about each failure to store events.
  var report: NoticeHandler { get }

  /// `true` if the receiver has room for more events.
  var hasRoom: Bool { get }

  /// Records the given events if possible.
  ///
  /// Failures are reported, not thrown.
  ///
  /// - Returns: The number of events that were dropped for lack of room.
  @discardableResult
  func record(_ events: [EncodedEvent]) -> Int

  /// The number of events so far that were not stored, for whatever reason.
  var lostCount: Int { get }

  /// Waits until all recorded events are in the log.
  ///
  /// - Parameter seconds: The longest wait.
  /// - Returns: `true` if the events are in the log.
  @discardableResult
  func settle(within seconds: Double) -> Bool

  /// Passes on the remaining events, and accepts no more.
  ///
  /// - Parameter seconds: The longest wait.
  func end(within seconds: Double)
}

extension EventSink {
  /// Always `true`, because a log has room for all events.
  public var hasRoom: Bool { true }

  /// Always 0, for a receiver that does not count.
  public var lostCount: Int { 0 }

  /// Encodes and records the given events; see ``record(_:)``.
  public func record(_ events: [any Event]) { record(events.compactMap { encoded($0) }) }

  /// Returns the encoded event.
  ///
  /// If JSON cannot represent the event, reports that and returns nil.
  func encoded(_ event: any Event) -> EncodedEvent? {
    do throws(Failure) {
      return try EncodedEvent(event)
    } catch {
      report("cannot store an event: \(error.sentence)")
      return nil
    }
  }

  /// Runs `work`, which records events, and then passes on the remaining events.
  ///
  /// The events are also passed on if `work` throws.
  ///
  /// - Throws: The failure that `work` throws.
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
  /// Returns `true`, because a journal writes events as it records them.
  @discardableResult
  public func settle(within seconds: Double) -> Bool { true }

  /// Does nothing, because a journal has no waiting events.
  public func end(within seconds: Double) {}
}
