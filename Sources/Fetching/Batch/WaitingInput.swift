import Core
import Synchronization

/// An input that is read on a separate thread, so that other work can continue.
final class WaitingInput: Sendable {
  /// The content of a line.
  enum Item: Sendable {
    /// A record.
    case record(RawRecord)
    /// A line of an input that has no records, and the position of the line.
    case text(String, source: String)
  }

  private let reader: Mutex<RecordReader>
  private let blocking = Blocking("input", inOrder: true)

  init(_ reader: consuming sending RecordReader) {
    self.reader = Mutex(reader)
  }

  /// Returns the next line that is not blank; nil at the end.
  ///
  /// After an invalid line, reading can continue.
  ///
  /// - Throws: `BadInput` if the line is invalid; `Interrupted` if the wait is interrupted;
  ///   `StorageFailed` if the input cannot be read.
  func next() async throws(Failure) -> Item? {
    try await blocking.run { () throws(Failure) in
      try self.reader.withLock { (reader) throws(Failure) in try Self.next(&reader) }
    }
  }

  private static func next(_ reader: inout RecordReader) throws(Failure) -> Item? {
    guard try reader.holdsRecords() else {
      guard let (text, source) = try reader.nextText()?.get() else { return nil }
      return .text(text, source: source)
    }
    switch try reader.next() {
    case .record(let record): return .record(record)
    case .bad(let failure): throw failure
    case nil: return nil
    }
  }
}
