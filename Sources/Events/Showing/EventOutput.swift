public import Core
import Foundation

/// What becomes of the events that a filter let pass: all are written, the last of them, or so
/// many a second.
public struct EventOutput {
  private var printer: EventPrinter
  private var ring: EventRing?
  private var pace: EventPace?
  private let clock: () -> Int64
  private let began = Timestamp.now

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - printer: Writes events.
  ///   - last: How many of the last events are written, at the end; nil for all, at once.
  ///   - perSecond: How many events a second are written, the others counted; nil for all.
  ///   - coalesces: Whether logs that say the same become one; with a rate they always do.
  ///   - clock: Milliseconds of a clock that only goes forward.
  public init(
    _ printer: EventPrinter, last: Int? = nil, perSecond: Int? = nil, coalesces: Bool = false,
    clock: @escaping () -> Int64 = EventOutput.monotonic
  ) {
    self.printer = printer
    self.clock = clock
    ring = last.map { EventRing(maximumCount: $0) }
    pace = coalesces || perSecond != nil ? EventPace(perSecond: perSecond) : nil
  }

  /// Milliseconds since some start, whatever happens to the date (clock_gettime(2)).
  public static func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// How many milliseconds may pass until ``flush()`` has to be called; -1 for any.
  public var milliseconds: Int32 {
    guard let due = pace?.due else { return -1 }
    return Int32(clamping: max(0, due - clock()))
  }

  /// Writes an event, at once or when its time comes.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func add(_ event: EventLine) throws(Failure) {
    if let ring { return ring.append(event.bytes) }
    guard pace != nil else { return try printer.add(event.bytes) }
    let now = clock()
    pace?.add(event, now: now, date: .now)
    if pace?.isDue(now) ?? false { try writeDue(now: now) }
  }

  /// Writes what is due.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flush() throws(Failure) {
    let now = clock()
    if pace?.isDue(now) ?? false { try writeDue(now: now) }
    try printer.flush()
  }

  /// Writes all that came, so that something else can follow it.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flushAll() throws(Failure) {
    try writeDue(now: clock())
    try printer.flush()
  }

  /// Whether the last events are kept back until it is known which they are.
  public var holdsLast: Bool { ring != nil }

  /// Writes the last of the events so far; from now on all are written, at once.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func catchUp() throws(Failure) {
    try addLast()
    ring = nil
    try printer.flush()
  }

  /// Writes what is left, and what is to be told of what was left out.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func end() throws(Failure) {
    try addLast()
    try writeDue(now: nil)
    try printer.flush()
  }

  private mutating func addLast() throws(Failure) {
    if let ring, ring.missingCount > 0 {
      let record = Suppressed(
        ts: Timestamp.now.milliseconds, count: ring.missingCount, since: began.milliseconds)
      try write(try record.line())
    }
    while let line = ring?.removeOldest() { try write(line) }
  }

  private mutating func writeDue(now: Int64?) throws(Failure) {
    for line in try pace?.removeDue(now: now, date: .now) ?? [] { try write(line) }
  }

  private mutating func write(_ line: [UInt8]) throws(Failure) {
    try line.withUnsafeBufferPointer { (line) throws(Failure) in try printer.add(line) }
  }
}
