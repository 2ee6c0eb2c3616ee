import Foundation

/// Files that only their owner may read.
package enum PrivateFile {
  /// The bytes of a file that belongs to this user and that nobody else may read or write.
  ///
  /// - Returns: Nil when there is no such file.
  /// - Throws: `PermissionDenied` when others may read or write it or own it, `StorageFailed`
  ///   when it cannot be read.
  package static func read(_ path: String) throws(Failure) -> [UInt8]? {
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: Int(Int32.max), followsLink: false)
    } catch {
      guard error != .missing else { return nil }
      throw Failure(.storageFailed, "cannot read '\(path)': \(error.reason)", input: path)
    }
    guard file.isOurs(closedFor: 0o077) else {
      throw Failure(
        .permissionDenied,
        "'\(path)' must belong to you and be readable by you alone (chmod 600)",
        kind: "unsafeMode", input: path)
    }
    return file.bytes
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
