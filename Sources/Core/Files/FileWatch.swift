import Foundation
import Synchronization

/// A watch on a folder, which lets a reader of a log sleep until a file changes.
///
/// It uses inotify(7). On systems without inotify, each wait ends after a tenth of a second.
///
/// SQLite writes a commit to its log, waits for the disk, and then publishes it through shared
/// memory, which inotify does not report. A reader that reads at once may therefore miss the
/// commit. For this reason, a change is reported again a few times, at growing intervals.
public final class FileWatch: Sendable {
  private let notes: Descriptor
  private let interruption: Interruption

  /// The polling interval on systems without inotify, in milliseconds.
  private static let pause: Int32 = 100

  /// The intervals, in milliseconds, at which a change is reported again.
  private static let echoes: [Int32] = [5, 20, 100, 500, 2000]
  /// The longest wait, in milliseconds, if nothing changes.
  private static let rest: Int32 = 30_000
  /// The index in `echoes` of the next interval; `echoes.count` if no interval is left.
  private let nextEcho = Mutex(echoes.count)

  /// Starts watching the given folder, but not its subfolders.
  ///
  /// - Parameters:
  ///   - folder: The folder; it must exist.
  ///   - interruption: The interruption that ends a wait.
  /// - Throws: `StorageFailed` if the folder cannot be watched.
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

  /// Waits until a file has changed since the previous wait, or since the watch began.
  ///
  /// - Parameter milliseconds: The time limit; -1 waits forever.
  /// - Returns: `true` if a file may have changed, `false` if the time limit was reached.
  /// - Throws: `Interrupted` if the process was interrupted.
  public func hasChanged(within milliseconds: Int32) throws(Failure) -> Bool {
    let (most, isTold) = wait(milliseconds)
    guard try interruption.isReadable(notes.number, within: most) else {
      if isTold { nextEcho.withLock { $0 = min($0 + 1, Self.echoes.count) } }
      return isTold
    }
    nextEcho.withLock { $0 = 0 }
    // Callers examine the files themselves, so the inotify events are only discarded.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(notes.number, buffer.baseAddress, buffer.count) > 0 {}
    }
    return true
  }

  /// Returns the time to wait, at most the given one.
  ///
  /// `isTold` is `true` if the end of the wait counts as a change.
  private func wait(_ milliseconds: Int32) -> (milliseconds: Int32, isTold: Bool) {
    func isShorter(_ time: Int32) -> Bool { milliseconds < 0 || time <= milliseconds }
    guard notes.isOpen else {
      return isShorter(Self.pause) ? (Self.pause, true) : (milliseconds, false)
    }
    let next = nextEcho.withLock { $0 }
    // A wait without a time limit still ends now and then, in case an inotify event is lost.
    guard next < Self.echoes.count else {
      return milliseconds < 0 ? (Self.rest, true) : (milliseconds, false)
    }
    guard isShorter(Self.echoes[next]) else { return (milliseconds, false) }
    return (Self.echoes[next], true)
  }
}
