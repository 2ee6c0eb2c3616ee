import Foundation

/// Files that only their owner may read.
package enum PrivateFile {
  /// The bytes of a file that belongs to this user and that nobody else may read or write.
  ///
  /// - Returns: Nil when there is no such file.
  /// - Throws: `PermissionDenied` when others may read or write it or own it, `StorageFailed`
  ///   when it cannot be read.
  package static func read(_ path: String) throws(Failure) -> [UInt8]? {
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failed("read", path)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failed("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.storageFailed, "cannot read '\(path)': it is not a plain file", input: path)
    }
    guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
      throw Failure(
        .permissionDenied,
        "'\(path)' must belong to you and be readable by you alone (chmod 600)",
        kind: "unsafeMode", input: path)
    }
    do {
      return Array(try handle.readToEnd() ?? Data())
    } catch {
      throw failed("read", path)
    }
  }

  /// Puts bytes into a file in one step, durably: the old ones or the new ones, never a part.
  ///
  /// - Throws: `StorageFailed`.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let temporary = path + ".\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failed("write", path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(bytes))
      try handle.synchronize()
      try handle.close()
    } catch {
      let failure = failed("write", path)
      unlink(temporary)
      throw failure
    }
    guard rename(temporary, path) == 0 else {
      let failure = failed("write", path)
      unlink(temporary)
      throw failure
    }
    try synchronize((path as NSString).deletingLastPathComponent, for: path)
  }

  /// Makes the names in a folder durable (fsync(2)).
  private static func synchronize(_ folder: String, for path: String) throws(Failure) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failed("write", path) }
    defer { close(descriptor) }
    // EINVAL: a file system that has nothing to do for a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failed("write", path) }
  }

  private static func failed(_ verb: String, _ path: String) -> Failure {
    Failure(
      .storageFailed, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)))", input: path)
  }
}
