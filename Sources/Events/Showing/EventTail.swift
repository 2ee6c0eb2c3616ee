public import Core

/// A reader of several event sources in turn, which writes the events that pass a filter.
public struct EventTail {
  /// `true` if there was an `error` record, whether or not it passed the filter.
  public private(set) var holdsErrors = false

  /// `true` if an event has passed the filter.
  public private(set) var hasEvents = false

  private let filter: EventFilter
  private let follows: Bool
  private let isStrict: Bool
  private let caughtUp: (_ hasEvents: Bool) -> Void
  private let fail: (Failure) -> Void
  private var output: EventOutput

  /// Creates a reader that has read nothing yet.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - output: The destination.
  ///   - follows: `true` if the source continues after all existing events.
  ///   - isStrict: `true` if a gap ends the reading, after it is written.
  ///   - fail: Receives each malformed line, and the failure of an unreadable source.
  ///   - caughtUp: Called once all existing events of a source that continues were read.
  public init(
    _ filter: EventFilter, into output: EventOutput, follows: Bool = false,
    isStrict: Bool = false, fail: @escaping (Failure) -> Void,
    caughtUp: @escaping (_ hasEvents: Bool) -> Void = { _ in }
  ) {
    self.caughtUp = caughtUp
    self.filter = filter
    self.output = output
    self.follows = follows
    self.isStrict = isStrict
    self.fail = fail
  }

  /// Reads a source to its end.
  ///
  /// - Parameter open: Opens the source; a failure is reported, as with a source without events.
  /// - Throws: As `RecordWriter.write`; `Interrupted` if the process is to end.
  public mutating func read(
    _ open: () throws(Failure) -> any EventSource
  ) throws(Failure) {
    let source: any EventSource
    do throws(Failure) {
      source = try open()
    } catch {
      guard error.code != .interrupted else { throw error }
      return fail(error)
    }
    try read(source)
  }

  /// Reads a source to its end.
  ///
  /// - Throws: As `RecordWriter.write`; `Interrupted` if the process is to end; `StreamInterrupted`
  ///   of kind `gap` if gaps end the reading.
  public mutating func read(_ source: any EventSource) throws(Failure) {
    var reader = EventReader(source, filter: filter)
    defer { if reader.holdsErrors { holdsErrors = true } }
    var mayHaveMore = true
    var hasCaughtUp = !follows
    while mayHaveMore {
      if !hasCaughtUp, !(try reader.isReady(within: 0)) {
        hasCaughtUp = true
        if output.holdsLast { try output.catchUp() }
        caughtUp(hasEvents)
      }
      guard try reader.isReady(within: output.milliseconds) else {
        try output.flush()
        continue
      }
      mayHaveMore = try reader.next { (item) throws(Failure) in
        switch item {
        case .event(let event):
          hasEvents = true
          try output.add(event)
          if isStrict, let gap = event.gap {
            try output.end()
            throw gap
          }
        case .bad(let failure):
          // The failure is reported in place of the line.
          try output.flushAll()
          fail(failure)
        }
      }
      try output.flush()
    }
    // All events of later sources are new.
    if !hasCaughtUp, output.holdsLast { try output.catchUp() }
  }

  /// Writes the remaining events.
  ///
  /// - Parameter failure: The failure that ended the reading, if any; counts are written even after
  ///   a signal.
  /// - Throws: As `RecordWriter.write`.
  public mutating func end(after failure: Failure? = nil) throws(Failure) {
    if let failure, failure.code != .interrupted || failure.kind != nil { return }
    try output.end()
  }
}

extension FailureKind {
  /// A gap of missing events.
  public static let gap = Self(rawValue: "gap")
}

extension EventLine {
  /// The failure of the missing events that the line reports; nil for other events.
  fileprivate var gap: Failure? {
    guard isGap, let gap = try? Gap(RawRecord(line: Array(bytes))) else { return nil }
    let end = gap.to.map { " to '\(Visible.line($0))'" } ?? ""
    return Failure(
      .streamInterrupted,
      "events are missing after '\(Visible.line(gap.from))'\(end): \(gap.reason.rawValue)",
      kind: .gap, input: gap.from)
  }
}
