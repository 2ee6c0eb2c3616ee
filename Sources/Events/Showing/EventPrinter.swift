public import Core

/// Writes events, many with one write: as they came, or as lines for a person.
public struct EventPrinter {
  /// So many bytes are written at once when more come than are read at a time.
  private static let batchSize = 1 << 16

  private let output: RecordWriter
  private let shown: ((RawRecord) -> String)?
  private var batch: [UInt8] = []

  /// Writes to an output.
  ///
  /// - Parameters:
  ///   - output: Where events go.
  ///   - shown: How a person sees one, its line end included; nil writes them as they came.
  public init(_ output: RecordWriter, shown: ((RawRecord) -> String)? = nil) {
    self.output = output
    self.shown = shown
  }

  /// Writes an event, at the latest with the next ``flush()``.
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

  /// Writes what has not been written.
  ///
  /// - Throws: As `RecordWriter.write`.
  public mutating func flush() throws(Failure) {
    guard !batch.isEmpty else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    try output.write(lines: batch)
  }
}
