public import Core
import Foundation

/// The signals that concern a terminal, to be waited for with poll(2).
public final class TerminalSignals: Sendable {
  /// Readable when one has come.
  let descriptor: Int32
  private let writing: Int32

  /// Nothing has come yet.
  ///
  /// - Throws: `TerminalInitFailed` without a pipe.
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

  /// Notes that a signal has come, on any thread.
  public func receive(_ signal: Int32) {
    // A full pipe says all there is to say.
    _ = write(writing, [UInt8(truncatingIfNeeded: signal)], 1)
  }

  /// The signals that have come since the last call.
  func received() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }

  /// Stops this process as a job that the user stopped, with the terminal as it was before.
  func stop(_ terminal: LocalTerminal) {
    terminal.leave()
    HeldLocks.stopProcess()
    terminal.enter()
  }
}
