public import Core

/// A reader that reads event sources one after the other and writes the events that pass a filter.
public struct EventTail {
  /// `true` if a source contained an `error` record.
  ///
  /// The record need not have passed the filter.
  public private(set) var holdsErrors = false

  /// `true` if an event has passed the filter.
  public private(set) var hasEvents = false

  private let filter: EventFilter
  private let follows: Bool
  private let isStrict: Bool
  private let caughtUp: (_ hasEvents: Bool) -> Void
  private let fail: (Failure) -> Void
  private var output: EventOutput

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - output: The destination.
  ///   - follows: `true` if a source waits for new events after the existing ones.
  ///   - isStrict: `true` to end the reading at a gap, after the gap is written.
  ///   - fail: A function that receives the failure of each malformed line and of each unreadable
  ///     source.
  ///   - caughtUp: A function that is called after all existing events of such a source were read.
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

  /// Opens a source and reads it to its end.
  ///
  /// - Parameter open: A function that opens the source. If it throws, the failure is reported, and
  ///   reading continues with the next source.
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

  /// Reads the given source to its end.
  ///
  /// - Throws: As `RecordWriter.write`; `Interrupted` if the process is to end; `StreamInterrupted`
  ///   of kind `gap` if a gap ended a strict reading.
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
          try add(event)
        case .bad(let failure):
          // The failure is reported in the order of the lines, after the events before it.
          defer { fail(failure) }
          try output.flushAll()
        }
      }
      try output.flush()
    }
    // Events of later sources are all new.
    if !hasCaughtUp, output.holdsLast { try output.catchUp() }
  }

  /// Adds an event to the output, which a gap ends in a strict reading.
  private mutating func add(_ event: EventLine) throws(Failure) {
    let gap = isStrict ? event.gap : nil
    do throws(Failure) {
      try output.add(event)
      if gap != nil { try output.end() }
    } catch {
      throw gap ?? error
    }
    if let gap { throw gap }
  }

  /// Writes the remaining events.
  ///
  /// If reading ended with a failure other than a signal, nothing is written.
  ///
  /// - Parameter failure: The failure that ended the reading; nil if there is none.
  /// - Throws: As `RecordWriter.write`.
  public mutating func end(after failure: Failure? = nil) throws(Failure) {
    if let failure, failure.code != .interrupted || failure.kind != nil { return }
    try output.end()
  }
}

extension FailureKind {
  /// The kind of a failure about missing events.
  public static let gap = Self(rawValue: "gap")
}

extension EventLine {
  /// The failure that describes the gap, if the line reports one; nil otherwise.
  fileprivate var gap: Failure? {
    guard isGap, let gap = try? Gap(RawRecord(line: Array(bytes))) else { return nil }
    let end = gap.to.map { " to '\(Visible.line($0))'" } ?? ""
    return Failure(
      .streamInterrupted,
      "events are missing after '\(Visible.line(gap.from))'\(end): \(gap.reason.rawValue)",
      kind: .gap, input: gap.from)
  }
}
