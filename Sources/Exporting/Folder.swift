import Core
import Foundation

/// A project's folder, held open, so that what is written lands in it whatever becomes of its name.
///
/// No component below the base may be a symbolic link (openat(2) with O_NOFOLLOW).
struct Folder: ~Copyable {
  /// What a name in the folder stands for.
  enum Content {
    case nothing
    /// A symbolic link, wherever it leads.
    case link
    /// A regular file, and the start of its bytes.
    case file([UInt8])
    /// A folder, a device, a pipe.
    case other
  }

  /// The folder's path.
  let path: String
  private let descriptor: Descriptor

  /// Opens the folder of that name in the base, making both; the umask gives their modes.
  ///
  /// - Throws: `StorageFailed`.
  init(base: String, child: String) throws(Failure) {
    let path = base == "/" ? "/" + child : base + "/" + child
    // Nothing is set before the call that may throw: Swift 6.2 cannot compile it otherwise.
    let descriptor = try Self.opened(base, child, path)
    self.path = path
    self.descriptor = descriptor
  }

  /// What the name stands for; of a file at most so many bytes.
  ///
  /// - Throws: `StorageFailed` when a file cannot be read.
  func content(_ name: String, atMost limit: Int) throws(Failure) -> Content {
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = Descriptor(number: openat(descriptor.number, name, flags))
    guard file.number >= 0 else {
      switch errno {
      case ENOENT: return .nothing
      case ELOOP, EMLINK: return .link
      case ENXIO, ENODEV, EOPNOTSUPP: return .other
      default: throw failure(name, errno)
      }
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw failure(name, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    guard let bytes = file.bytes(atMost: min(limit, Int(clamping: status.st_size))) else {
      throw failure(name, errno)
    }
    return .file(bytes)
  }

  /// Puts a file under the name in one step: all of it or nothing, and durable.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in this folder.
  ///   - replacing: Whether it takes the place of what has the name, keeping a file's mode; a
  ///     symbolic link is replaced, not followed.
  /// - Returns: Whether it was put; false when the name is taken and nothing is to be replaced.
  /// - Throws: `StorageFailed`.
  func put(_ bytes: [UInt8], _ name: String, replacing: Bool) throws(Failure) -> Bool {
    let temporary = ".\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
    do {
      try write(bytes, temporary, for: name, keepingMode: replacing)
      let isPut = try move(temporary, to: name, replacing: replacing)
      if isPut { try Self.synchronize(descriptor.number, path) }
      return isPut
    } catch {
      unlinkat(descriptor.number, temporary, 0)
      throw error
    }
  }

  /// The failure of writing a name in this folder.
  func failure(_ name: String, _ reason: String) -> Failure {
    Self.failure(path + "/" + name, reason)
  }
}

extension Folder {
  private func failure(_ name: String, _ number: Int32) -> Failure {
    Self.failure(path + "/" + name, number)
  }

  private func write(
    _ bytes: [UInt8], _ temporary: String, for name: String, keepingMode: Bool
  ) throws(Failure) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = Descriptor(number: openat(descriptor.number, temporary, flags, 0o666))
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

  private static func opened(
    _ base: String, _ child: String, _ path: String
  ) throws(Failure) -> Descriptor {
    let parent = try opened(base)
    let isNew = mkdirat(parent.number, child, 0o777) == 0
    guard isNew || errno == EEXIST else { throw failure(path, errno) }
    if isNew { try synchronize(parent.number, base) }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = openat(parent.number, child, flags)
    guard number >= 0 else {
      if errno == ENOTDIR || errno == ELOOP {
        throw failure(path, "it is a symbolic link or no folder")
      }
      throw failure(path, errno)
    }
    return Descriptor(number: number)
  }

  /// Opens the base, making it and what is above it where there is nothing.
  private static func opened(_ base: String) throws(Failure) -> Descriptor {
    guard !base.utf8.contains(0) else { throw failure(base, "it holds a NUL") }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var number = open(base, flags)
    if number < 0, errno == ENOENT {
      try make(base)
      number = open(base, flags)
    }
    guard number >= 0 else { throw failure(base, errno) }
    return Descriptor(number: number)
  }

  private static func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let parent = (path as NSString).deletingLastPathComponent
    guard errno == ENOENT, !parent.isEmpty, parent != path else { throw failure(path, errno) }
    try make(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path, errno) }
  }

  private static func synchronize(_ number: Int32, _ path: String) throws(Failure) {
    // EINVAL: a file system that has nothing to do for a folder.
    guard fsync(number) == 0 || errno == EINVAL else { throw failure(path, errno) }
  }

  private static func failure(_ path: String, _ number: Int32) -> Failure {
    failure(path, String(cString: strerror(number)))
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    let shown = Visible.text(path)
    return Failure(.storageFailed, "cannot write '\(shown)': \(reason)", input: shown)
  }
}
