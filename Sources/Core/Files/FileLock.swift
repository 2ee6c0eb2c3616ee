import Foundation

/// An advisory lock on a file (flock(2)), held until the value is destroyed or the process ends.
public struct FileLock: ~Copyable, Sendable {
  private let descriptor: Int32
  /// `true` if other processes may be waiting for the lock.
  private let isAwaited: Bool

  private init(descriptor: Int32, isAwaited: Bool) {
    self.descriptor = descriptor
    self.isAwaited = isAwaited
    if isAwaited { HeldLocks.enter() }
  }

  /// Acquires the lock of the file at the given path, waiting until it is free.
  ///
  /// - Throws: `StorageFailed` if the file cannot be opened or locked.
  public static func waiting(for path: String) throws(Failure) -> FileLock {
    let lock = FileLock(descriptor: try open(path), isAwaited: true)
    while flock(lock.descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw PrivateFile.failed(path, to: "lock")
      }
    }
    return lock
  }

  /// Acquires the lock of the file at the given path if it is free.
  ///
  /// - Returns: The lock; nil if it is held already.
  /// - Throws: `StorageFailed` if the file cannot be opened or locked.
  public static func ifFree(_ path: String) throws(Failure) -> FileLock? {
    let lock = FileLock(descriptor: try open(path), isAwaited: false)
    // isHeld(_:) holds the lock for a moment, so one failed attempt proves nothing.
    for attempt in 0..<5 {
      if attempt > 0 { usleep(2000) }
      guard flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 else { return lock }
      guard errno == EWOULDBLOCK else {
        throw PrivateFile.failed(path, to: "lock")
      }
    }
    return nil
  }

  /// Acquires the lock of the file at the given path, under which one process renews tokens for
  /// all.
  ///
  /// The lock is polled with a time limit, so that a stopped process cannot block others forever.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - peer: The URL of the server that issued the tokens, for failures.
  ///   - limit: The time limit.
  /// - Returns: The lock.
  /// - Throws: `Busy` if the lock is not free in time; `StorageFailed` if the file cannot be opened
  ///   or locked; `Interrupted` if the task is cancelled.
  public static func forRenewal(
    _ path: String, ofTokensFrom peer: String, within limit: Duration = .seconds(30)
  ) async throws(Failure) -> FileLock {
    let end = ContinuousClock.now + limit
    while true {
      if let lock = try ifFree(path) { return lock }
      guard ContinuousClock.now < end else {
        throw Failure(
          .busy, "timed out while another process renews the tokens of '\(peer)'", input: peer)
      }
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        throw Failure(.interrupted, "interrupted while another process renews the tokens")
      }
    }
  }

  /// Returns `true` if the file exists and its lock is held.
  public static func isHeld(_ path: String) -> Bool {
    // Closing the file releases the lock.
    let file = Descriptor(Foundation.open(path, O_RDWR | O_CLOEXEC))
    return file.isOpen && flock(file.number, LOCK_SH | LOCK_NB) != 0
  }

  deinit {
    close(descriptor)
    if isAwaited { HeldLocks.leave() }
  }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    try Directories.make((path as NSString).deletingLastPathComponent)
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw PrivateFile.failed(path, to: "open")
    }
    return descriptor
  }
}
