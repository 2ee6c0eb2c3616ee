import Foundation
import Synchronization

/// A pipe to a child's stdin, which sees its end when this is closed or let go.
final class InputPipe: Sendable {
  struct NoPipe: Error {}

  /// The end that the child is given.
  let reading: Int32
  private let writing: Mutex<Int32>

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw NoPipe() }
    // A child that kept the writing end would wait for its own end. It fails for no open descriptor.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  deinit {
    Foundation.close(reading)
    close()
  }

  /// Writes to the child.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    writing.withLock { descriptor in
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes {
          Foundation.write(descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 || errno == EINTR else { return }
        done += max(0, count)
      }
    }
  }

  /// Lets the child see the end of its input.
  func close() {
    writing.withLock { descriptor in
      if descriptor >= 0 { Foundation.close(descriptor) }
      descriptor = -1
    }
  }
}
