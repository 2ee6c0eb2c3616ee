import Foundation
import Synchronization

/// A writer of records to a descriptor.
///
/// Each record is written by one write(2), so that a reader receives it at once and a failed write
/// is noticed.
public final class RecordWriter: Sendable {
  /// A function that returns a record's text for people, with its line end; nil omits the record.
  public typealias Rendering = @Sendable (any StreamRecord) throws(Failure) -> String?

  private let descriptor: Int32
  private let name: String
  private let rendering: Rendering?
  /// `true` if the writer writes JSON to a terminal, which could interpret escape sequences in it.
  private let isOnTerminal: Bool
  private let isClosed = Mutex(false)

  /// Creates a writer to the given descriptor; the caller closes the descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - name: The name of the output in messages.
  ///   - rendering: The function that renders records as text; if nil, records are written as
  ///     NDJSON.
  public init(
    descriptor: Int32 = 1, name: String = "<stdout>", rendering: Rendering? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.rendering = rendering
    isOnTerminal = rendering == nil && isatty(descriptor) == 1
  }

  /// `true` if the reader has closed the output.
  public var readerIsGone: Bool { isClosed.withLock { $0 } }

  /// `true` if the output is NDJSON, not text.
  public var isNDJSON: Bool { rendering == nil }

  /// Writes the given record.
  ///
  /// - Throws: `StorageFailed` if the line is over 16 MiB or cannot be written whole; `Interrupted`
  ///   of kind `outputClosed` if the reader has closed the output.
  public func write(_ record: some StreamRecord) throws(Failure) {
    if let rendering {
      guard let text = try rendering(record) else { return }
      try write(bytes: Array(text.utf8))
    } else {
      try write(line: try record.line())
    }
  }

  /// Writes the given record unchanged, except for characters that a terminal would interpret.
  ///
  /// - Throws: As ``write(_:)``.
  public func write(_ record: RawRecord) throws(Failure) {
    guard rendering == nil else {
      return try write(
        line: Array(Visible.text(String(decoding: record.bytes, as: UTF8.self)).utf8))
    }
    try write(line: record.bytes)
  }

  /// Writes the given lines by one write(2).
  ///
  /// Each line is a record with its line feed. On a terminal, characters that it would interpret
  /// are escaped.
  ///
  /// - Throws: As ``write(_:)``.
  public func write(lines: [UInt8]) throws(Failure) {
    try write(bytes: isOnTerminal ? Visible.json(lines) : lines)
  }

  /// Writes the given text, such as a requested document, which is not a record.
  ///
  /// - Throws: As ``write(_:)``.
  public func write(text: String) throws(Failure) {
    try write(bytes: Array(text.utf8))
  }

  private func write(line: [UInt8]) throws(Failure) {
    guard line.count <= LineReader.maximumLength else {
      throw Failure(.storageFailed, "a record of \(line.count) bytes is over the line limit")
    }
    try write(bytes: (isOnTerminal ? Visible.json(line) : line) + [UInt8(ascii: "\n")])
  }

  private func write(bytes: [UInt8]) throws(Failure) {
    // Clears a progress line that may be on the same terminal.
    if descriptor == 1 { Diagnostics.shared.progress("") }
    let code = isClosed.withLock { isClosed -> Int32 in
      guard !isClosed else { return EPIPE }
      let code = Self.writeAll(bytes, to: descriptor)
      if code == EPIPE { isClosed = true }
      return code
    }
    guard code != 0 else { return }
    if code == EPIPE {
      throw Failure(.interrupted, "the reader of \(name) closed it", kind: .outputClosed)
    }
    throw Failure(
      .storageFailed, "cannot write '\(name)': \(String(cString: strerror(code)))", input: name)
  }

  /// Writes all the given bytes; returns 0, or errno if a write failed.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Foundation.write(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count >= 0 {
          done += count
        } else if errno == EAGAIN {
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          // The result of poll(2) does not matter, since the next write reports any error.
          _ = poll(&wanted, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }
}
