import Core
import Foundation

/// A pipe that is readable once the database may have changed.
final class PostgresWaiter: Sendable {
  private let reading: Descriptor
  private let writing: Descriptor

  /// Creates the pipe.
  ///
  /// - Throws: `StorageFailed` if there are too many open files.
  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(
        .storageFailed, "cannot wait for changes: \(String(cString: strerror(errno)))")
    }
    for end in ends {
      // Child processes must not inherit the pipe, and a full pipe is readable already.
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    reading = Descriptor(ends[0])
    writing = Descriptor(ends[1])
  }

  /// Ends the current wait, or the next one.
  func wake() {
    var byte: UInt8 = 1
    // A full pipe is readable already, so a failed write needs no handling.
    _ = write(writing.number, &byte, 1)
  }

  /// Waits until the database may have changed since the previous wait.
  ///
  /// - Parameters:
  ///   - milliseconds: The time limit; -1 waits forever.
  ///   - interruption: The interruption that ends the wait.
  /// - Returns: `true` if the database may have changed.
  /// - Throws: `Interrupted` if the wait was interrupted.
  func hasChanged(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> Bool {
    guard try interruption.isReadable(reading.number, within: milliseconds) else { return false }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while read(reading.number, buffer.baseAddress, buffer.count) > 0 {}
    }
    return true
  }
}
