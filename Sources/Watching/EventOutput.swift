public import Core

/// What becomes of the events that a filter let pass: all are written, or the last of them.
public struct EventOutput {
  private var printer: EventPrinter
  private let ring: EventRing?

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - printer: Writes events.
  ///   - last: How many of the last events are written, at the end; nil for all, at once.
  public init(_ printer: EventPrinter, last: Int? = nil) {
    self.printer = printer
    ring = last.map { EventRing(maximumCount: $0) }
  }

  /// Takes an event.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func take(_ event: EventLine) throws(Failure) {
    guard let ring else { return try printer.add(event.bytes) }
    ring.append(event.bytes)
  }

  /// Writes what is due.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flush() throws(Failure) {
    try printer.flush()
  }

  /// Writes what is left.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func end() throws(Failure) {
    while let line = ring?.takeFirst() {
      try line.withUnsafeBufferPointer { (line) throws(Failure) in try printer.add(line) }
    }
    try printer.flush()
  }
}
