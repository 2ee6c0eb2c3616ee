import Foundation

/// Access to files that only their owner may read.
package enum PrivateFile {
  /// Returns the content of a file that belongs to this user and that nobody else may read or
  /// write.
  ///
  /// - Returns: Nil if the file does not exist.
  /// - Throws: `PermissionDenied` if others may read or write the file or own it, or if this user
  ///   may not; `StorageFailed` if it cannot be read.
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

  /// Returns the content of a credential that a service manager passed to this process
  /// (systemd.exec(5)).
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

  /// Replaces a file atomically and durably.
  ///
  /// The bytes are first written under a random name, since another process could have created any
  /// predictable name. Files that killed processes left are removed.
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
    // EINVAL: the file system has nothing to synchronize for a folder.
    guard fsync(names.number) == 0 || errno == EINVAL else { throw failed(path) }
  }

  /// Returns the failure that errno describes, for a file operation.
  static func failed(_ path: String, to verb: String = "write") -> Failure {
    Failure(
      .storageFailed, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)))", input: path)
  }
}
