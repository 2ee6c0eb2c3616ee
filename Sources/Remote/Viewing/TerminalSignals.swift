public import Core
import Foundation

/// The signals that were received for a terminal, in a queue that poll(2) can wait for.
public final class TerminalSignals: Sendable {
  /// The descriptor that becomes readable after a signal.
  let descriptor: Int32
  private let writing: Int32

  /// Creates an empty queue of signals.
  ///
  /// - Throws: `TerminalInitFailed` if no pipe can be created.
  public init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(.terminalInitFailed, "cannot open a pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Adds the given signal to the queue; may be called on any thread.
  public func receive(_ signal: Int32) {
    // A full pipe wakes the reader, too.
    _ = write(writing, [UInt8(truncatingIfNeeded: signal)], 1)
  }

  /// Returns the signals that were received since the last call.
  func received() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }

  /// Restores the terminal, and stops this process (job control) until it is continued.
  func stop(_ terminal: LocalTerminal) {
    terminal.leave()
    HeldLocks.stopProcess()
    terminal.enter()
  }
}
