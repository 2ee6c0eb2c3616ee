import Foundation

/// Access to files that only their owner may read.
package enum PrivateFile {
  /// Returns the content of the given file, which must belong to this user and be closed to all
  /// others.
  ///
  /// - Returns: Nil if the file does not exist.
  /// - Throws: `PermissionDenied` if another user owns the file or may read or write it, or if this
  ///   user may not read it; `StorageFailed` if it cannot be read.
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

  /// Returns the content of the given credential file, which a service manager passed to this
  /// process (systemd.exec(5)).
  ///
  /// - Returns: Nil if the file does not exist.
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

  /// Replaces the file at the given path atomically and durably.
  ///
  /// The bytes are first written to a file with a random name, because another process could have
  /// created any predictable name. Temporary files left behind by killed processes are removed.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
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

  /// Makes the names in the given folder durable (fsync(2)).
  private static func synchronize(_ folder: String, for path: String) throws(Failure) {
    let names = Descriptor(
      open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard names.isOpen else { throw failed(path) }
    // EINVAL: the file system has nothing to synchronize for a folder.
    guard fsync(names.number) == 0 || errno == EINVAL else { throw failed(path) }
  }

  /// Returns a failure that the given path cannot be accessed, with the reason from errno.
  ///
  /// `verb` names the operation that failed.
  static func failed(_ path: String, to verb: String = "write") -> Failure {
    Failure(
      .storageFailed, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)))", input: path)
  }
}
