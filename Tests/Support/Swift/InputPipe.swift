import Foundation
import Synchronization

/// A pipe to a child's stdin, whose end the child sees once this is closed or released.
public final class InputPipe: Sendable {
  /// There are no descriptors left.
  public struct NoPipe: Error {}

  /// The child's end.
  public let reading: Int32
  private let writing: Mutex<Int32>

  /// Opens a pipe.
  public init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw NoPipe() }
    // A child that held the writing end would wait for its own end. fcntl does not fail for an open
    // descriptor.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  deinit {
    Foundation.close(reading)
    close()
  }

  /// Writes a text to the child.
  public func write(_ text: String) {
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

  /// Ends the child's input.
  public func close() {
    writing.withLock { descriptor in
      if descriptor >= 0 { Foundation.close(descriptor) }
      descriptor = -1
    }
  }
}
