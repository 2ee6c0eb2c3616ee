import Foundation

/// An advisory lock on a file (flock(2)), held until the value goes away or the process ends,
/// however it ends.
public struct FileLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock, waiting for it.
  ///
  /// - Throws: `StorageFailed` when the file cannot be opened or locked.
  public init(waitingFor path: String) throws(Failure) {
    descriptor = try Self.open(path)
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw Failure(.storageFailed, "cannot lock '\(path)'", input: path)
      }
    }
  }

  /// Takes the lock if nobody holds it.
  ///
  /// - Returns: Nil when somebody does.
  /// - Throws: `StorageFailed` when the file cannot be opened.
  public init?(ifFree path: String) throws(Failure) {
    descriptor = try Self.open(path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    try Directories.make((path as NSString).deletingLastPathComponent)
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .storageFailed, "cannot open '\(path)': \(String(cString: strerror(errno)))", input: path)
    }
    return descriptor
  }
}
