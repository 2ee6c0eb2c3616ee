import Core
import Foundation

extension Folder {
  /// The name of a file that is being written: nothing else is called so, and none of ours stays.
  private static let temporary = (prefix: ".export-md-", suffix: ".tmp")

  /// The bytes that a file of ours may have, unless what it is held against has more: a record has
  /// 16 MiB at most, a chat as many as its messages.
  static let usual = 1 << 28

  /// How long another process may hold the folder, in seconds.
  private static let patience = 60.0

  /// Keeps other runs from writing here until the folder is closed (flock(2)).
  ///
  /// - Returns: Whether they are kept off; not every file system can.
  /// - Throws: `Busy` when another process does not let go, `Interrupted`.
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

  /// Removes what a killed run left among these names.
  ///
  /// Who holds the folder's lock knows that no one is writing: what is there is nobody's.
  ///
  /// - Returns: Whether there was anything.
  /// - Throws: `StorageFailed`.
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

  /// Puts a file under the name in one step: all of it or nothing, and durable.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in this folder.
  ///   - old: What it takes the place of, keeping a file's mode; a symbolic link is replaced, not
  ///     followed.
  /// - Returns: Whether it was put; false when the name is taken by anything but that.
  /// - Throws: `StorageFailed`.
  func place(_ bytes: [UInt8], as name: String, replacing old: Content?) throws(Failure) -> Bool {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    let temporary = Self.temporary.prefix + zeros + digits + Self.temporary.suffix
    do throws(Failure) {
      try write(bytes, temporary, for: name, keepingMode: old != nil)
      // What a person has saved while we wrote stays: no call replaces a file only if it is known.
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
      // Unlike renameat(2), linkat(2) does not replace what another process has put there since.
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
