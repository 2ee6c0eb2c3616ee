import Foundation

/// Tells when the files of a folder change, so that a follower of a log sleeps until there is more.
///
/// Rests on inotify(7). Where there is none, waiting ends after a tenth of a second.
public final class FileWatch: Sendable {
  private let descriptor: Int32
  private let interruption: Interruption

  /// How long a wait takes where nobody tells of changes, in milliseconds.
  private static let pause: Int32 = 100

  /// Watches a folder, not what is in the folders in it.
  ///
  /// - Parameters:
  ///   - folder: The folder; it must be there.
  ///   - interruption: Ends a wait.
  /// - Throws: `StorageFailed` when it cannot be watched.
  public init(folder: String, interruption: Interruption = Interruption()) throws(Failure) {
    self.interruption = interruption
    #if os(Linux)
      descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      let wanted = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      guard descriptor >= 0, inotify_add_watch(descriptor, folder, wanted) >= 0 else {
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        throw Failure(.storageFailed, "cannot watch '\(folder)': \(reason)", input: folder)
      }
    #else
      descriptor = -1
    #endif
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits for a change since the watch began or since the last wait.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on.
  /// - Returns: Whether something may have changed.
  /// - Throws: `Interrupted` when the process is to end.
  public func hasChanged(within milliseconds: Int32) throws(Failure) -> Bool {
    let isLonger = milliseconds < 0 || milliseconds > Self.pause
    let most = descriptor < 0 && isLonger ? Self.pause : milliseconds
    guard try interruption.isReadable(descriptor, within: most) else {
      return descriptor < 0 && most == Self.pause
    }
    // What changed is looked for in the files; the notes are only read away.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    return true
  }
}
