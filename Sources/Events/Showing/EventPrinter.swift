public import Core

/// A writer of events, many in one write: unchanged, or as lines for a person.
public struct EventPrinter {
  /// The number of bytes that are written at once, if more arrive than one read holds.
  private static let batchSize = 1 << 16

  private let output: RecordWriter
  private let shown: ((RawRecord) -> String)?
  private var batch: [UInt8] = []

  /// Creates a printer for an output.
  ///
  /// - Parameters:
  ///   - output: The destination.
  ///   - shown: Returns the form for a person, with its line end; nil to write lines unchanged.
  public init(_ output: RecordWriter, shown: ((RawRecord) -> String)? = nil) {
    self.output = output
    self.shown = shown
  }

  /// Writes an event, at the latest in the next ``flush()``.
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
