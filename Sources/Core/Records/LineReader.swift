import Foundation

/// A reader that splits a descriptor's bytes into lines, with memory bounded by the longest line.
///
/// It drops a byte order mark at the start and a carriage return before a line feed.
public struct LineReader: ~Copyable {
  /// A line without its line end.
  public struct Line: Sendable {
    /// The line's bytes; nil if the line was over the size limit and was discarded.
    public var bytes: [UInt8]?
    /// The number of the line in the input, from 1.
    public var number: Int
    /// `true` if a line feed ended the line, `false` if the end of the input did.
    package var isEnded = true
  }

  /// The maximum length of a line in bytes.
  public static let maximumLength = 16 << 20

  private let descriptor: Int32
  private let name: String
  private let separator: UInt8
  private let interruption: Interruption?
  private var buffer: [UInt8] = []
  private var position = 0
  private var number = 0
  private var isAtEnd = false

  /// Creates a reader of the given descriptor; the caller closes the descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - name: The name of the input in messages.
  ///   - separator: The byte that ends a line. If it is not a line feed, no other bytes are
  ///     dropped.
  ///   - interruption: The interruption that ends a blocked read.
  public init(
    descriptor: Int32 = 0, name: String = "<stdin>", separator: UInt8 = 0x0A,
    interruption: Interruption? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.separator = separator
    self.interruption = interruption
  }

  /// Returns the position of the given line for messages, such as `<stdin>:12`.
  public func source(_ line: Int) -> String { "\(name):\(line)" }

  /// Returns the next line; nil at the end of the input.
  ///
  /// The call blocks until a line arrives.
  ///
  /// - Throws: `StorageFailed` if read(2) fails; `Interrupted` if the process was interrupted.
  public mutating func next() throws(Failure) -> Line? {
    var searched = position
    var isTooLong = false
    while true {
      if let end = lineEnd(from: searched) {
        let line = isTooLong ? nil : content(upTo: end)
        position = end + 1
        number += 1
        return Line(bytes: line, number: number)
      }
      if buffer.count - position > Self.maximumLength + 1 {
        isTooLong = true
        position = buffer.count
      }
      compact()
      searched = buffer.count
      guard try fill() else {
        guard position < buffer.count || isTooLong else { return nil }
        let line = isTooLong ? nil : content(upTo: buffer.count)
        position = buffer.count
        number += 1
        return Line(bytes: line, number: number, isEnded: false)
      }
    }
  }

  /// Returns the rest of the input as one text, preceded by the given line, which was already read.
  ///
  /// - Throws: `BadInput` if the text is over 16 MiB or is not UTF-8; otherwise as ``next()``.
  public mutating func text(after first: Line?) throws(Failure) -> String {
    let tooLong = Failure(.badInput, "the text is over 16 MiB", input: name)
    var bytes: [UInt8] = []
    if let first {
      guard let line = first.bytes else { throw tooLong }
      bytes = line + (first.isEnded ? [UInt8(ascii: "\n")] : [])
    }
    repeat {
      bytes += buffer[position...]
      position = buffer.count
      guard bytes.count <= Self.maximumLength else { throw tooLong }
      compact()
    } while try fill()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badInput, "the text is not UTF-8", input: name)
    }
    return text
  }

  private func lineEnd(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(separator), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func content(upTo end: Int) -> [UInt8]? {
    var line = buffer[position..<end]
    guard separator == 0x0A else { return line.count > Self.maximumLength ? nil : Array(line) }
    if number == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if line.last == 0x0D { line = line.dropLast() }
    return line.count > Self.maximumLength ? nil : Array(line)
  }

  private mutating func compact() {
    guard position > 0 else { return }
    buffer.removeSubrange(..<position)
    position = 0
  }

  private mutating func fill() throws(Failure) -> Bool {
    guard !isAtEnd else { return false }
    _ = try interruption?.isReadable(descriptor)
    var (count, code) = (0, Int32(0))
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { piece in
      (count, code) = (read(descriptor, piece.baseAddress, piece.count), errno)
      buffer += UnsafeRawBufferPointer(rebasing: piece.prefix(max(0, count)))
    }
    if count < 0, code == EINTR || code == EAGAIN { return true }
    guard count >= 0 else {
      throw Failure(
        .storageFailed, "cannot read '\(name)': \(String(cString: strerror(code)))", input: name)
    }
    isAtEnd = count == 0
    return !isAtEnd
  }
}
