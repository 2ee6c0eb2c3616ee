import Core
import Foundation
import Synchronization
import Terminals

/// What a terminal of ours was told by what the command wrote, so that it can be told to be as it was.
///
/// Standard output and standard error are mostly one terminal, and have one memory of it.
final class TerminalMemory: Sendable {
  private struct State {
    var changes = TerminalChanges()
    /// How many writes have begun that have not ended.
    var writing = 0
  }

  private let descriptor: Int32
  private let device: dev_t
  private let state = Mutex(State())
  private static let known = Mutex<[TerminalMemory]>([])

  private init(_ descriptor: Int32, _ device: dev_t) {
    (self.descriptor, self.device) = (descriptor, device)
  }

  /// The memory of a terminal; nil for a descriptor of something else.
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

  /// Bytes are about to be written to it.
  func willWrite(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.changes.read(bytes)
      state.writing += 1
    }
  }

  /// They were written.
  func hasWritten() { state.withLock { $0.writing -= 1 } }

  /// Tells the terminal to be as it was, where the command left it otherwise.
  func restore() {
    let bytes = state.withLock { state in
      // Once for all streams that go to it.
      defer { state.changes = TerminalChanges() }
      // A write that did not end may have been cut off anywhere.
      return state.writing > 0 ? state.changes.restoringAll : state.changes.restoring
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A terminal that takes nothing for a second is left as it is.
        guard poll(&wanted, 1, 1000) > 0 else { return }
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
