public import Core

/// Reads events from one source after the other and writes those that a filter lets pass.
public struct EventTail {
  /// Whether an `error` record came in, wanted or not.
  public private(set) var holdsErrors = false

  /// Whether an event was wanted so far.
  public private(set) var hasEvents = false

  private let filter: EventFilter
  private let follows: Bool
  private let isStrict: Bool
  private let caughtUp: (_ hasEvents: Bool) -> Void
  private let fail: (Failure) -> Void
  private var output: EventOutput

  /// Begins with nothing read.
  ///
  /// - Parameters:
  ///   - filter: Which events are wanted.
  ///   - output: Where they go.
  ///   - follows: Whether the source goes on once all that is there was read.
  ///   - isStrict: Whether a gap, once it is written, ends the reading.
  ///   - fail: Is told of each line that is none, and of a source that cannot be read.
  ///   - caughtUp: Is called once, where the source goes on, when all that is there was read.
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
  /// - Parameter open: Gives the source; where it cannot, that is told, and no event came.
  /// - Throws: As `RecordWriter.write`; `Interrupted` when the process is to end.
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
  /// - Throws: As `RecordWriter.write`; `Interrupted` when the process is to end; where gaps end the
  ///   reading, `StreamInterrupted` of kind `gap`.
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
          // The failure is told in the line's place.
          try output.flushAll()
          fail(failure)
        }
      }
      try output.flush()
    }
    // What follows a source that ended is new.
    if !hasCaughtUp, output.holdsLast { try output.catchUp() }
  }

  /// Writes what is left.
  ///
  /// - Parameter failure: What ended the reading, if anything did: what was counted is told even
  ///   when a signal did.
  /// - Throws: As `RecordWriter.write`.
  public mutating func end(after failure: Failure? = nil) throws(Failure) {
    if let failure, failure.code != .interrupted || failure.kind != nil { return }
    try output.end()
  }
}

extension FailureKind {
  /// Events are missing.
  public static let gap = Self(rawValue: "gap")
}

extension EventLine {
  /// What is missing, as a failure, where the event tells that something is.
  fileprivate var gap: Failure? {
    guard isGap, let gap = try? Gap(RawRecord(line: Array(bytes))) else { return nil }
    let end = gap.to.map { " to '\(Visible.line($0))'" } ?? ""
    return Failure(
      .streamInterrupted,
      "events are missing after '\(Visible.line(gap.from))'\(end): \(gap.reason.rawValue)",
      kind: .gap, input: gap.from)
  }
}
