public import Core

/// A writer of events that combines many of them in one write.
///
/// It writes them unchanged, or in a form for people.
public struct EventPrinter {
  /// The number of pending bytes above which they are written.
  private static let batchSize = 1 << 16

  private let output: RecordWriter
  private let shown: ((RawRecord) -> String)?
  private var batch: [UInt8] = []

  /// Creates a printer for the given output.
  ///
  /// - Parameters:
  ///   - output: The destination.
  ///   - shown: A function that returns the form of a record for people, with its line end; nil to
  ///     write lines unchanged.
  public init(_ output: RecordWriter, shown: ((RawRecord) -> String)? = nil) {
    self.output = output
    self.shown = shown
  }

  /// Adds the given event to the pending ones.
  ///
  /// It is written by the next ``flush()`` at the latest.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) {
    if let shown {
      batch += shown(try RawRecord(line: Array(line))).utf8
    } else {
      batch.append(contentsOf: line)
      batch.append(UInt8(ascii: "\n"))
    }
    if batch.count >= Self.batchSize { try flush() }
  }

  /// Writes the pending bytes.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flush() throws(Failure) {
    guard !batch.isEmpty else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    try output.write(lines: batch)
  }
}
