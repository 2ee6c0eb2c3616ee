import Foundation

/// A new file beside one that is to be replaced, locked (flock(2)) for as long as it is written.
struct TemporaryFile: ~Copyable {
  private static let prefix = ".agentpipes-"
  private static let suffix = ".tmp"
  /// How often a name is tried: one that was just made may be taken for one that was left.
  private static let attempts = 5

  /// Its path.
  let path: String
  /// What writes to it.
  let handle: FileHandle

  /// Makes the file, and removes those of processes that were killed before they were done.
  ///
  /// - Parameters:
  ///   - folder: Where it is made.
  ///   - target: The file to be replaced, for the failure.
  /// - Throws: `StorageFailed`.
  init(in folder: String, for target: String) throws(Failure) {
    Self.sweep(folder)
    for _ in 0..<Self.attempts {
      let name = Self.prefix + String(UInt64.random(in: 0...UInt64.max), radix: 16) + Self.suffix
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { throw PrivateFile.failed(target) }
        continue
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      // Where the file system has no locks nobody can tell that it was left, and it stays.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      var status = stat()
      // Another process may have looked before it was locked, and removed it.
      guard isLocked, fstat(descriptor, &status) == 0, status.st_nlink > 0 else { continue }
      (self.path, self.handle) = (path, handle)
      return
    }
    throw Failure(
      .storageFailed, "cannot write '\(target)': no temporary name is free", input: target)
  }

  private static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      let path = "\(folder)/\(name)"
      let file = Descriptor(open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
      // Whoever writes it holds the lock.
      if file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }
}
