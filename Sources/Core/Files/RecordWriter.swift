import Foundation
import Synchronization

/// Writes records to a descriptor, each with a write(2) of its own, so that a reader sees them at
/// once and a failed write is noticed.
public final class RecordWriter: Sendable {
  /// Turns a record into text for a person, its line end included; nil leaves it out.
  public typealias Rendering = @Sendable (any StreamRecord) throws(Failure) -> String?

  private let descriptor: Int32
  private let name: String
  private let rendering: Rendering?
  /// Whether a terminal would read the JSON, and obey what is in it.
  private let isOnTerminal: Bool
  private let isClosed = Mutex(false)

  /// Writes to a descriptor, which stays the caller's to close.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write.
  ///   - name: What messages call it.
  ///   - rendering: Writes text for a person instead of NDJSON.
  public init(
    descriptor: Int32 = 1, name: String = "<stdout>", rendering: Rendering? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.rendering = rendering
    isOnTerminal = rendering == nil && isatty(descriptor) == 1
  }

  /// Whether the reader has gone away; a tool then ends quietly.
  public var readerIsGone: Bool { isClosed.withLock { $0 } }

  /// Whether a write would find the reader gone (poll(2)): for who writes seldom.
  public var wouldFindNoReader: Bool {
    var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&pipe, 1, 0) > 0 && pipe.revents & Int16(POLLERR) != 0
  }

  /// Whether NDJSON is written, not text.
  public var isNDJSON: Bool { rendering == nil }

  /// Writes a record.
  ///
  /// - Throws: `StorageFailed` when the line cannot be written whole or is over 16 MiB,
  ///   `Interrupted` of kind `outputClosed` when the reader has gone away.
  public func write(_ record: some StreamRecord) throws(Failure) {
    if let rendering {
      guard let text = try rendering(record) else { return }
      try write(bytes: Array(text.utf8))
    } else {
      try write(line: try record.line())
    }
  }

  /// Passes a record on, byte for byte but for what a terminal would obey.
  ///
  /// - Throws: As ``write(_:)``.
  public func write(_ record: RawRecord) throws(Failure) {
    guard rendering == nil else {
      return try write(
        line: Array(Visible.text(String(decoding: record.bytes, as: UTF8.self)).utf8))
    }
    try write(line: record.bytes)
  }

  /// Passes records on as ``write(_:)-(RawRecord)`` does, many with one write(2); each has its line feed.
  ///
  /// - Throws: As ``write(_:)``.
  public func write(lines: [UInt8]) throws(Failure) {
    try write(bytes: isOnTerminal ? Visible.json(lines) : lines)
  }

  /// Writes text that is not a record, such as a document a user asked for instead of records.
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
    // A progress line may stand on the same terminal.
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

  /// Writes everything and returns 0, or the errno of what failed.
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
          // Whatever poll says, the next write tells what is the matter.
          _ = poll(&wanted, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }
}
