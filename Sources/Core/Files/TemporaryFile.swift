import Foundation

/// A new file that is to replace another file.
///
/// It is locked (flock(2)) while it is written.
struct TemporaryFile: ~Copyable {
  private static let prefix = ".agentpipes-"
  private static let suffix = ".tmp"
  /// The number of names to try, because another process may remove a file before it is locked.
  private static let attempts = 5

  /// The file's path.
  let path: String
  /// The handle that writes to the file.
  let handle: FileHandle

  /// Creates the file, and removes temporary files left behind by killed processes.
  ///
  /// - Parameters:
  ///   - folder: The folder of the file.
  ///   - target: The file to be replaced, which a failure names.
  /// - Throws: `StorageFailed` if the file cannot be created.
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
      // On a file system without locks, files that were left behind are not recognized and stay.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      var status = stat()
      // Another process may have removed the file before it was locked.
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
      // A process that still writes the file holds the lock.
      if file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }
}
