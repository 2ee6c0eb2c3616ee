public import Core

/// What takes events: the log of this machine, or what sends them to that of another.
public protocol EventSink: Sendable {
  /// Is given a sentence on what is not kept.
  var note: Note { get }

  /// A Boolean value that indicates whether there is room for more events.
  var hasRoom: Bool { get }

  /// Takes events where that can be done; where it cannot, that is told and holds up nobody.
  ///
  /// - Returns: How many there is no room for; they are dropped.
  @discardableResult
  func record(_ events: [EncodedEvent]) -> Int

  /// Waits until what was taken is in the log, where others read it.
  ///
  /// - Parameter seconds: How long at most.
  /// - Returns: Whether it is there.
  @discardableResult
  func settle(within seconds: Double) -> Bool

  /// Passes on what is left; nothing is taken from then on.
  ///
  /// - Parameter seconds: How long that may take.
  func end(within seconds: Double)
}

extension EventSink {
  /// A log takes all.
  public var hasRoom: Bool { true }

  /// Encodes events and takes them; see ``record(_:)``.
  public func record(_ events: [any Event]) { record(events.compactMap { encoded($0) }) }

  /// Encodes an event; one that JSON cannot express is not kept, and that is told.
  func encoded(_ event: any Event) -> EncodedEvent? {
    do throws(Failure) {
      return try EncodedEvent(event)
    } catch {
      note("cannot store an event: \(error.explanation)")
      return nil
    }
  }

  /// Does some work that tells events, and passes on what is left of them after it, however it ends.
  ///
  /// - Throws: What the work throws.
  public func told(by work: () async throws(Failure) -> Void) async throws(Failure) {
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
  /// What was taken is written already.
  @discardableResult
  public func settle(within seconds: Double) -> Bool { true }

  /// Nothing is left.
  public func end(within seconds: Double) {}
}
