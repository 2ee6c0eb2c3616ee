public import Core
import Foundation

/// An output of events.
///
/// It writes all events, only the last ones, or a limited number per second.
public struct EventOutput {
  private var printer: EventPrinter
  private var ring: EventRing?
  private var pace: EventPace?
  private let clock: () -> Int64
  private let began = Timestamp.now

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - printer: The writer of events.
  ///   - last: The number of last events to write after the input has ended; nil to write all
  ///     events at once.
  ///   - perSecond: The number of events to write per second; nil for no limit. Further events are
  ///     only counted.
  ///   - coalesces: `true` to merge equal log records. A limit per second always merges them.
  ///   - clock: A function that returns the milliseconds of a monotonic clock.
  public init(
    _ printer: EventPrinter, last: Int? = nil, perSecond: Int? = nil, coalesces: Bool = false,
    clock: @escaping () -> Int64 = EventOutput.monotonic
  ) {
    self.printer = printer
    self.clock = clock
    ring = last.map { EventRing(maximumCount: $0) }
    pace = coalesces || perSecond != nil ? EventPace(perSecond: perSecond) : nil
  }

  /// Returns the time of a monotonic clock in milliseconds (clock_gettime(2)).
  public static func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The number of milliseconds within which ``flush()`` must be called; -1 for no limit.
  public var milliseconds: Int32 {
    guard let due = pace?.due else { return -1 }
    return Int32(clamping: max(0, due - clock()))
  }

  /// Writes the given event, either at once or when it is due.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func add(_ event: EventLine) throws(Failure) {
    if let ring { return ring.append(event.bytes) }
    guard pace != nil else { return try printer.add(event.bytes) }
    let now = clock()
    pace?.add(event, now: now, date: .now)
    if pace?.isDue(now) ?? false { try writeDue(now: now) }
  }

  /// Writes the events that are due.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flush() throws(Failure) {
    let now = clock()
    if pace?.isDue(now) ?? false { try writeDue(now: now) }
    try printer.flush()
  }

  /// Writes all pending events, so that other output can follow.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flushAll() throws(Failure) {
    try writeDue(now: clock())
    try printer.flush()
  }

  /// `true` while events are held back until the last ones are known.
  public var holdsLast: Bool { ring != nil }

  /// Writes the last events received so far.
  ///
  /// All later events are then written at once.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func catchUp() throws(Failure) {
    try addLast()
    ring = nil
    try printer.flush()
  }

  /// Writes the remaining events and the numbers of suppressed ones.
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
