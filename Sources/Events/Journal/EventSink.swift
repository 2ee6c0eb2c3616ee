public import Core

/// What takes events: the log of this machine, or what sends them to that of another.
public protocol EventSink: Sendable {
  /// Is given a sentence on what is not kept.
  var note: EventJournal.Note { get }

  /// Takes events where that can be done; where it cannot, that is told and holds up nobody.
  func record(_ events: [any Event])

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
