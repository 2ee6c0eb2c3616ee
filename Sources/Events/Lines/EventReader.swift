public import Core
import Foundation

/// A reader that validates the lines of a source and delivers those that pass a filter.
///
/// The bytes of matching lines are neither decoded nor copied.
public struct EventReader: ~Copyable {
  /// A line that is delivered, or a failure.
  public enum Item {
    /// An event that passes the filter.
    ///
    /// It is valid until `handle` returns.
    case event(EventLine)
    /// The failure of a line that is not a record, or the failure that ended reading.
    ///
    /// Reading continues after a line that is not a record.
    case bad(Failure)
  }

  /// `true` if the source contained an `error` record.
  ///
  /// The record need not have passed the filter.
  public private(set) var holdsErrors = false

  private let source: any EventSource
  private let filter: PreparedFilter
  private var scanner = LineScanner()
  private var buffer = LineBuffer()
  private var number = 0
  private var isAtEnd = false
  /// `true` while the rest of a line that is too long is skipped.
  private var isPassing = false

  /// Creates a reader of the given source.
  public init(_ source: any EventSource, filter: EventFilter = EventFilter()) {
    self.source = source
    self.filter = PreparedFilter(filter)
  }

  /// Waits until the source can be read; see ``EventSource/isReady(within:)``.
  ///
  /// - Throws: The failure that the source throws.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    try source.isReady(within: milliseconds)
  }

  /// Reads once and delivers the completed lines, in order.
  ///
  /// - Parameter handle: A function that receives each event that passes the filter, and each
  ///   failure.
  /// - Returns: `true` if there may be more lines; `false` at the end of the source, or after
  ///   `handle` received the failure of the source.
  /// - Throws: `Interrupted` if the process is to end; the failure that `handle` throws.
  public mutating func next(
    _ handle: (Item) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard !isAtEnd else { return false }
    let isFirst = number == 0
    let source = source
    let count: Int
    do throws(Failure) {
      count = try buffer.fill { (room) throws(Failure) in try source.read(into: room) }
    } catch {
      guard error.code != .interrupted else { throw error }
      isAtEnd = true
      try handle(.bad(error))
      return false
    }
    if count == 0 {
      isAtEnd = true
      if buffer.waiting > 0 || isPassing { buffer.endLine() }
    }
    if let lines = buffer.lines(), let start = lines.baseAddress {
      try deliver(from: start, start + lines.count, isFirst: isFirst, handle)
    } else if buffer.waiting > LineReader.maximumLength + 4 {
      // The longest valid line may have a byte order mark before it and a carriage return after it.
      buffer.dropWaiting()
      isPassing = true
    }
    return !isAtEnd
  }

  private mutating func deliver(
    from start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isFirst: Bool,
    _ handle: (Item) throws(Failure) -> Void
  ) throws(Failure) {
    var at = start
    if isPassing {
      number += 1
      isPassing = false
      at = Self.lineFeed(at, end) + 1
      try handle(.bad(tooLong))
    } else if isFirst, end - at >= 3, at[0] == 0xEF, at[1] == 0xBB, at[2] == 0xBF {
      at += 3
    }
    while at < end {
      number += 1
      let isRecord = scanner.scan(at) && hasType
      let lineFeed = isRecord ? scanner.end ?? at : Self.lineFeed(at, end)
      let hasReturn = lineFeed > at && lineFeed[-1] == UInt8(ascii: "\r")
      let line = UnsafeBufferPointer(start: at, count: lineFeed - at - (hasReturn ? 1 : 0))
      at = lineFeed + 1
      if !isRecord || line.count > LineReader.maximumLength {
        if let failure = fault(of: line) { try handle(.bad(failure)) }
      } else if filter.matches(scanner.found, line) {
        try handle(.event(EventLine(bytes: line, number: number, values: scanner.found)))
      }
    }
  }

  /// Returns `true` if the last scanned line has a type.
  ///
  /// Also records that the type is `error`.
  private var hasType: Bool {
    mutating get {
      guard let type = scanner.found[.type], let inner = type.inner, !inner.isEmpty else {
        return false
      }
      if type.equals("error") { holdsErrors = true }
      return true
    }
  }

  /// Returns the failure that describes the fault in the given line; nil if the line is blank.
  private func fault(of line: UnsafeBufferPointer<UInt8>) -> Failure? {
    guard line.count <= LineReader.maximumLength else { return tooLong }
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    do throws(Failure) {
      _ = try RawRecord(line: Array(line), source: place)
      return Failure(.badInput, "the line is not a record", input: place)
    } catch {
      return error
    }
  }

  private var tooLong: Failure { Failure(.badInput, "the line is over 16 MiB", input: place) }

  private var place: String { "\(source.name):\(number)" }

  private static func lineFeed(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard let found = memchr(start, 0x0A, end - start) else { return end - 1 }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }
}
