import Core
import Foundation
import Requests
import Synchronization

/// The controls that wait for the loop, which a pipe wakes up.
final class ControlInbox: Sendable {
  private let waiting = Mutex<[PendingControl]>([])
  private let input: Descriptor
  private let output: Descriptor

  /// Creates an empty inbox.
  ///
  /// - Throws: `StorageFailed` if no pipe can be opened.
  init() throws(Failure) {
    var numbers: [Int32] = [-1, -1]
    guard pipe(&numbers) == 0 else {
      throw Failure(.storageFailed, "cannot open a pipe: \(String(cString: strerror(errno)))")
    }
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
    input = Descriptor(numbers[0])
    output = Descriptor(numbers[1])
  }

  /// The descriptor that can be read while controls wait.
  var descriptor: Int32 { input.number }

  /// Adds a control.
  func add(_ control: PendingControl) {
    waiting.withLock { $0.append(control) }
    _ = output.write([0])
  }

  /// Removes and returns the waiting controls.
  func take() -> [PendingControl] {
    // The read ends when the pipe is empty.
    _ = input.bytes(atMost: 1 << 16)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
