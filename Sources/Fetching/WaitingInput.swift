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
      try self.reader.withLock { reader in Self.next(&reader) }.get()
    }
  }

  private static func next(_ reader: inout RecordReader) -> Result<Item?, Failure> {
    do throws(Failure) {
      guard try reader.holdsRecords() else {
        guard let line = try reader.nextText() else { return .success(nil) }
        let (text, source) = try line.get()
        return .success(.text(text, source: source))
      }
      switch try reader.next() {
      case .record(let record): return .success(.record(record))
      case .bad(let failure): return .failure(failure)
      case nil: return .success(nil)
      }
    } catch {
      return .failure(error)
    }
  }
}
