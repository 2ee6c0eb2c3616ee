import Core
import Foundation
import Synchronization

/// The standard error of a program, read line by line on a thread.
///
/// The thread ends at the end of the pipe. If another process still holds the pipe, it ends once
/// the program has ended and all that was written is read.
final class ErrorLines: Sendable {
  /// The maximum length of a line in bytes; the rest of a longer line is dropped.
  private static let maximumLength = 4096
  /// The maximum number of bytes that are read after the program has ended.
  private static let maximumRest = 1 << 20

  private let lastLine = Mutex<String?>(nil)
  /// The writing end of the pipe whose end tells the thread that the program has ended.
  private let stopping: Mutex<Int32>
  private let isRead = DispatchSemaphore(value: 0)

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - errors: The reading end of the pipe, which this object closes.
  ///   - receive: The closure that receives each line.
  /// - Throws: `StorageFailed` if too many files are open.
  init(
    _ errors: consuming Descriptor, _ receive: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    let stop = try PipeEnds().release()
    let errors = errors.release()
    stopping = Mutex(stop.writing)
    Thread.detachNewThread { [self] in
      read(errors, until: stop.reading, receive)
      Descriptor(errors).close()
      Descriptor(stop.reading).close()
      isRead.signal()
    }
  }

  /// The last line that is not blank.
  var last: String? { lastLine.withLock { $0 } }

  /// Reads what was written, and ends the thread.
  func finish() {
    let isFirst = stopping.withLock { stopping in
      defer { stopping = -1 }
      Descriptor(stopping).close()
      return stopping >= 0
    }
    if isFirst { isRead.wait() }
  }

  private func read(
    _ errors: Int32, until stop: Int32, _ receive: @Sendable (String) -> Void
  ) {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    var line: [UInt8] = []
    var rest: Int?
    while rest.map({ $0 > 0 }) ?? true {
      var waits = [
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        pollfd(fd: rest == nil ? stop : -1, events: Int16(POLLIN), revents: 0),
      ]
      // The result of poll does not matter: `revents` tells what is ready.
      _ = poll(&waits, 2, rest == nil ? -1 : 0)
      if waits[1].revents != 0 { rest = Self.maximumRest }
      guard waits[0].revents != 0 else {
        if rest != nil { break }
        continue
      }
      let count = Foundation.read(errors, &piece, piece.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        break
      }
      rest = rest.map { $0 - count }
      for byte in piece[..<count] {
        if byte == 0x0A {
          pass(&line, receive)
        } else if line.count < Self.maximumLength {
          line.append(byte)
        }
      }
    }
    if !line.isEmpty { pass(&line, receive) }
  }

  private func pass(_ line: inout [UInt8], _ receive: @Sendable (String) -> Void) {
    if line.last == 0x0D { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    line = []
    if text.contains(where: { !$0.isWhitespace }) { lastLine.withLock { $0 = text } }
    receive(text)
  }
}
