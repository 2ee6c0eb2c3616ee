import Core
import Synchronization

/// Input that is read on a thread of its own, while other work goes on.
final class WaitingInput: Sendable {
  /// What a line holds.
  enum Item: Sendable {
    /// A record.
    case record(RawRecord)
    /// A line of text, of input that is not records, and where it came from.
    case text(String, source: String)
  }

  private let reader: Mutex<RecordReader>
  private let blocking = Blocking("input", inOrder: true)

  init(_ reader: consuming sending RecordReader) {
    self.reader = Mutex(reader)
  }

  /// The next line that is not blank, or nil at the end; a bad line throws, and reading goes on.
  ///
  /// - Throws: `BadInput` for a bad line; `Interrupted`, `StorageFailed` when reading fails.
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
