import Foundation

/// Splits a descriptor's bytes into lines, with memory bounded by the longest line allowed.
///
/// A byte order mark at the start and a carriage return before a line feed are dropped.
public struct LineReader: ~Copyable {
  /// One line without its end; `bytes` is nil when it was over the limit and was thrown away.
  public struct Line: Sendable {
    /// Its bytes.
    public var bytes: [UInt8]?
    /// Its number, from 1.
    public var number: Int
    /// Whether a line feed ended it, not the end of the input.
    var isEnded = true
  }

  /// The longest line that the stream allows, in bytes.
  public static let maximumLength = 16 << 20

  private let descriptor: Int32
  private let name: String
  private let separator: UInt8
  private let interruption: Interruption?
  private var buffer: [UInt8] = []
  private var position = 0
  private var number = 0
  private var isAtEnd = false

  /// Reads from a descriptor, which stays the caller's to close.
  ///
  /// - Parameters:
  ///   - descriptor: What to read.
  ///   - name: What messages call it.
  ///   - separator: What ends a line; behind another than a line feed a line is kept as it is.
  ///   - interruption: Ends a read that waits.
  public init(
    descriptor: Int32 = 0, name: String = "<stdin>", separator: UInt8 = 0x0A,
    interruption: Interruption? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.separator = separator
    self.interruption = interruption
  }

  /// What messages call a line of this input.
  public func source(_ line: Int) -> String { "\(name):\(line)" }

  /// The next line, or nil at the end; waits as long as the writer does.
  ///
  /// - Throws: `StorageFailed` when read(2) fails, `Interrupted` when the process is to end.
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

  /// Everything that is left, as one text; a first line that was already taken goes in front.
  ///
  /// - Throws: `BadInput` when it is over the longest line allowed or not UTF-8.
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
    let old = buffer.count
    let size = 1 << 16
    buffer.append(contentsOf: repeatElement(0, count: size))
    let count = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress.map { $0 + old }, size)
    }
    let code = errno
    buffer.removeLast(size - max(0, count))
    if count < 0, code == EINTR || code == EAGAIN { return true }
    guard count >= 0 else {
      throw Failure(
        .storageFailed, "cannot read '\(name)': \(String(cString: strerror(code)))", input: name)
    }
    isAtEnd = count == 0
    return !isAtEnd
  }
}
