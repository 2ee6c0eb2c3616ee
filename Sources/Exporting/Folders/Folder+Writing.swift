import Core
import Foundation

extension Folder {
  /// The start and the end of a temporary file's name.
  ///
  /// No other file's name has them.
  private static let temporary = (prefix: ".export-md-", suffix: ".tmp")

  /// The maximum size, in bytes, of an existing file that is read.
  ///
  /// A larger new file raises it.
  static let usual = 1 << 28

  /// The maximum time, in seconds, to wait until another process unlocks the folder.
  private static let patience = 60.0

  /// Locks the folder against other runs, until it is closed (flock(2)).
  ///
  /// - Returns: `true` if the folder is locked; `false` if the file system does not support locks.
  /// - Throws: `Busy` if another process does not unlock the folder in time; `Interrupted` if the
  ///   wait is interrupted.
  func lock(_ interruption: Interruption?) throws(Failure) -> Bool {
    let start = Timestamp.now
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        if let interruption, interruption.signal != nil { throw interruption.failure }
        guard Timestamp.now.seconds(since: start) < Self.patience else {
          let shown = Visible.text(path)
          throw Failure(.busy, "another process has locked '\(shown)'", input: shown)
        }
        usleep(2000)
      default: return false
      }
    }
    return true
  }

  /// Removes the temporary files, among the given names, that killed runs left behind.
  ///
  /// The caller must hold the lock, so that no other run uses these files.
  ///
  /// - Returns: `true` if a file was removed.
  /// - Throws: `StorageFailed` if a file cannot be removed.
  func sweep(_ names: [String]) throws(Failure) -> Bool {
    var isSwept = false
    for name in names where Self.isTemporary(name) && kind(name) == S_IFREG {
      guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
        throw failure(name, errno)
      }
      isSwept = true
    }
    return isSwept
  }

  /// Writes a file with the given name atomically and durably.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The name of the file in this folder.
  ///   - old: The content to replace; nil if there must be none. The mode of a replaced file is
  ///     kept. A symbolic link is replaced, and not followed.
  /// - Returns: `true` if the file was written; `false` if the entry with that name does not have
  ///   the content `old`.
  /// - Throws: `StorageFailed` if the file cannot be written.
  func place(_ bytes: [UInt8], as name: String, replacing old: Content?) throws(Failure) -> Bool {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    let temporary = Self.temporary.prefix + zeros + digits + Self.temporary.suffix
    do throws(Failure) {
      try write(bytes, temporary, for: name, keepingMode: old != nil)
      // The content is compared just before the rename, so that an edit is not lost, because no
      // system call replaces a file only if it is unchanged.
      if let old, try content(name, atMost: max(Self.usual, old.bytes?.count ?? 0)) != old {
        guard unlinkat(descriptor.number, temporary, 0) == 0 else { throw failure(name, errno) }
        return false
      }
      let isPut = try move(temporary, to: name, replacing: old != nil)
      if isPut { try synchronize() }
      return isPut
    } catch {
      unlinkat(descriptor.number, temporary, 0)
      throw error
    }
  }

  private static func isTemporary(_ name: String) -> Bool {
    guard name.hasPrefix(temporary.prefix), name.hasSuffix(temporary.suffix) else { return false }
    let digits = name.utf8.dropFirst(temporary.prefix.utf8.count)
      .dropLast(temporary.suffix.utf8.count)
    return digits.count == 16
      && digits.allSatisfy { $0.isHexadecimalDigit && !$0.isCapital }
  }

  private func write(
    _ bytes: [UInt8], _ temporary: String, for name: String, keepingMode: Bool
  ) throws(Failure) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = Descriptor(openat(descriptor.number, temporary, flags, 0o666))
    guard file.number >= 0 else { throw failure(name, errno) }
    var status = stat()
    if keepingMode, fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    {
      guard fchmod(file.number, status.st_mode & 0o777) == 0 else { throw failure(name, errno) }
    }
    guard file.write(bytes) else { throw failure(name, errno) }
    guard fsync(file.number) == 0 else { throw failure(name, errno) }
  }

  private func move(_ temporary: String, to name: String, replacing: Bool) throws(Failure) -> Bool {
    let folder = descriptor.number
    if !replacing {
      // Unlike renameat(2), linkat(2) does not replace a file that another process has created.
      let isLinked = linkat(folder, temporary, folder, name, 0) == 0
      if isLinked || errno == EEXIST {
        guard unlinkat(folder, temporary, 0) == 0 else { throw failure(name, errno) }
        return isLinked
      }
      // Some file systems have no hard links.
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw failure(name, errno) }
    }
    guard renameat(folder, temporary, folder, name) == 0 else { throw failure(name, errno) }
    return true
  }
}
