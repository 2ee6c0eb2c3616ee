import Core
import Foundation
import Synchronization
import Terminals

/// The changes that the command's output has made to our terminal.
///
/// They are recorded so that they can be undone. Standard output and standard error are usually the
/// same terminal, and then share one memory.
final class TerminalMemory: Sendable {
  private struct State {
    var changes = TerminalChanges()
    /// The number of writes that have begun but not ended.
    var writing = 0
  }

  private let descriptor: Int32
  private let device: dev_t
  private let state = Mutex(State())
  private static let known = Mutex<[TerminalMemory]>([])

  private init(_ descriptor: Int32, _ device: dev_t) {
    (self.descriptor, self.device) = (descriptor, device)
  }

  /// Returns the memory of the terminal at the given descriptor; nil if it is not a terminal.
  static func of(_ descriptor: Int32) -> TerminalMemory? {
    var status = stat()
    guard isatty(descriptor) == 1, fstat(descriptor, &status) == 0 else { return nil }
    return known.withLock { known in
      if let memory = known.first(where: { $0.device == status.st_rdev }) { return memory }
      let memory = TerminalMemory(descriptor, status.st_rdev)
      known.append(memory)
      return memory
    }
  }

  /// Records that the given bytes are about to be written.
  func willWrite(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.changes.read(bytes)
      state.writing += 1
    }
  }

  /// Records that a write has ended.
  func hasWritten() { state.withLock { $0.writing -= 1 } }

  /// Restores the terminal if the command's output has changed it.
  func restore() {
    let bytes = state.withLock { state in
      // One reset suffices for all streams of the terminal.
      defer { state.changes = TerminalChanges() }
      // An unfinished write may have been cut off anywhere.
      return state.writing > 0 ? state.changes.restoringAll : state.changes.restoring
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // If the terminal accepts no bytes for a second, it is not restored.
        guard poll(&wanted, 1, 1000) > 0 else { return }
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
