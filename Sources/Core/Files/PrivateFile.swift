import Foundation

/// Files that only their owner may read.
package enum PrivateFile {
  /// The bytes of a file that belongs to this user and that nobody else may read or write.
  ///
  /// - Returns: Nil when there is no such file.
  /// - Throws: `PermissionDenied` when others may read or write it or own it, or this user may not,
  ///   `StorageFailed` when it cannot be read.
  package static func read(_ path: String) throws(Failure) -> [UInt8]? {
    guard let file = try opened(path) else { return nil }
    guard file.isOurs(closedFor: 0o077) else {
      throw Failure(
        .permissionDenied,
        "'\(path)' must belong to you and be readable by you alone (chmod 600)",
        kind: .unsafeMode, input: path, nextStep: "change its owner or mode")
    }
    return file.bytes
  }

  /// The bytes of a file that a service manager made for this process alone (systemd.exec(5)).
  ///
  /// - Returns: Nil when there is no such file.
  /// - Throws: As ``read(_:)``.
  package static func readCredential(_ path: String) throws(Failure) -> [UInt8]? {
    guard let file = try opened(path) else { return nil }
    guard file.isCredential else {
      throw Failure(
        .permissionDenied,
        "'\(path)' must belong to you or root and be readable by nobody else (chmod 400)",
        kind: .unsafeMode, input: path, nextStep: "change its owner or mode")
    }
    return file.bytes
  }

  private static func opened(_ path: String) throws(Failure) -> PlainFile? {
    do throws(PlainFile.Problem) {
      return try PlainFile(path, atMost: Int(Int32.max), followsLink: false)
    } catch {
      guard error != .missing else { return nil }
      throw Failure(
        error.isDenied ? .permissionDenied : .storageFailed,
        "cannot read '\(path)': \(error.reason)", input: path)
    }
  }

  /// Puts bytes into a file in one step, durably: the old ones or the new ones, never a part.
  ///
  /// The bytes are written under a name of chance first, since another process may have left any
  /// name that could be foreseen. What such a process left is removed.
  ///
  /// - Throws: `StorageFailed`.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let folder = (path as NSString).deletingLastPathComponent
    let temporary = try TemporaryFile(in: folder.isEmpty ? "." : folder, for: path)
    do {
      try temporary.handle.write(contentsOf: Data(bytes))
      try temporary.handle.synchronize()
    } catch {
      let failure = failed(path)
      unlink(temporary.path)
      throw failure
    }
    guard rename(temporary.path, path) == 0 else {
      let failure = failed(path)
      unlink(temporary.path)
      throw failure
    }
    try synchronize(folder, for: path)
  }

  /// Makes the names in a folder durable (fsync(2)).
  private static func synchronize(_ folder: String, for path: String) throws(Failure) {
    let names = Descriptor(
      open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard names.isOpen else { throw failed(path) }
    // EINVAL: a file system that has nothing to do for a folder.
    guard fsync(names.number) == 0 || errno == EINVAL else { throw failed(path) }
  }

  /// What errno says of a file that was to be written.
  static func failed(_ path: String, to verb: String = "write") -> Failure {
    Failure(
      .storageFailed, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)))", input: path)
  }
}
