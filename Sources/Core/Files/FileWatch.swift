import Foundation
import Synchronization

/// Tells when the files of a folder change, so that a follower of a log sleeps until there is more.
///
/// Rests on inotify(7). Where there is none, waiting ends after a tenth of a second.
///
/// SQLite writes a commit to its log, waits for the disk, and then lets it be seen through shared
/// memory, of which nobody is told: who looks at once may look too early. So a change is told again
/// a few times, later and later.
public final class FileWatch: Sendable {
  private let notes: Descriptor
  private let interruption: Interruption

  /// How long a wait takes where nobody tells of changes, in milliseconds.
  private static let pause: Int32 = 100

  /// How long after a change it is told again, each time since the time before, in milliseconds.
  private static let echoes: [Int32] = [5, 20, 100, 500, 2000]
  /// How long a wait takes when nothing changes at all, in milliseconds.
  private static let rest: Int32 = 30_000
  /// Which of them is next; behind the last one nothing is left to tell.
  private let nextEcho = Mutex(echoes.count)

  /// Watches a folder, not what is in the folders in it.
  ///
  /// - Parameters:
  ///   - folder: The folder; it must be there.
  ///   - interruption: Ends a wait.
  /// - Throws: `StorageFailed` when it cannot be watched.
  public init(folder: String, interruption: Interruption = Interruption()) throws(Failure) {
    self.interruption = interruption
    #if os(Linux)
      notes = Descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
      let wanted = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE)
      guard notes.isOpen, inotify_add_watch(notes.number, folder, wanted) >= 0 else {
        throw Failure(
          .storageFailed, "cannot watch '\(folder)': \(String(cString: strerror(errno)))",
          input: folder)
      }
    #else
      notes = Descriptor(-1)
    #endif
  }

  /// Waits for a change since the watch began or since the last wait.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on.
  /// - Returns: Whether something may have changed.
  /// - Throws: `Interrupted` when the process is to end.
  public func hasChanged(within milliseconds: Int32) throws(Failure) -> Bool {
    let (most, isTold) = wait(milliseconds)
    guard try interruption.isReadable(notes.number, within: most) else {
      if isTold { nextEcho.withLock { $0 = min($0 + 1, Self.echoes.count) } }
      return isTold
    }
    nextEcho.withLock { $0 = 0 }
    // What changed is looked for in the files; the notes are only read away.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(notes.number, buffer.baseAddress, buffer.count) > 0 {}
    }
    return true
  }

  /// How long to wait, and whether something may have changed when nobody says so by then.
  private func wait(_ milliseconds: Int32) -> (milliseconds: Int32, isTold: Bool) {
    func isShorter(_ time: Int32) -> Bool { milliseconds < 0 || time <= milliseconds }
    guard notes.isOpen else {
      return isShorter(Self.pause) ? (Self.pause, true) : (milliseconds, false)
    }
    let next = nextEcho.withLock { $0 }
    // Who waits without an end looks now and then, whatever becomes of a note.
    guard next < Self.echoes.count else {
      return milliseconds < 0 ? (Self.rest, true) : (milliseconds, false)
    }
    guard isShorter(Self.echoes[next]) else { return (milliseconds, false) }
    return (Self.echoes[next], true)
  }
}
