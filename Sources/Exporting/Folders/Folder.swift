import Core
import Foundation

/// A folder held open, so that what is written lands in it whatever becomes of its name.
///
/// Below the base no component may be a symbolic link (openat(2) with O_NOFOLLOW).
struct Folder: ~Copyable {
  /// What a name in the folder stands for.
  enum Content: Hashable {
    case nothing
    /// A symbolic link, wherever it leads.
    case link
    /// A regular file, and its bytes.
    case file([UInt8])
    /// A folder, a device, a pipe, or a file that is larger than any of ours.
    case other

    /// The bytes of a file.
    var bytes: [UInt8]? { if case .file(let bytes) = self { bytes } else { nil } }
  }

  /// The folder's path.
  let path: String
  let descriptor: Descriptor

  /// Opens the base.
  ///
  /// - Parameters:
  ///   - base: Its path; a symbolic link is followed.
  ///   - isMade: Whether it and what is above it are made where there is nothing; the umask gives
  ///     their modes.
  /// - Returns: Nil when there is nothing, and nothing is to be made.
  /// - Throws: `StorageFailed`.
  static func base(_ base: String, isMade: Bool) throws(Failure) -> Folder? {
    guard !base.utf8.contains(0) else { throw failure(base, "it contains a NUL") }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var number = open(base, flags)
    if number < 0, errno == ENOENT {
      guard isMade else { return nil }
      try make(base)
      number = open(base, flags)
    }
    guard number >= 0 else { throw failure(base, errno) }
    return Folder(path: base, descriptor: Descriptor(number))
  }

  /// Opens a folder in this one.
  ///
  /// - Parameters:
  ///   - name: Its name; one component.
  ///   - isMade: Whether it is made where there is nothing.
  /// - Returns: Nil when there is nothing, and nothing is to be made.
  /// - Throws: `StorageFailed`; a symbolic link is none.
  func folder(_ name: String, isMade: Bool) throws(Failure) -> Folder? {
    let path = Self.joined(path, name)
    if isMade {
      let isNew = mkdirat(descriptor.number, name, 0o777) == 0
      guard isNew || errno == EEXIST else { throw Self.failure(path, errno) }
      if isNew { try synchronize() }
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = openat(descriptor.number, name, flags)
    guard number < 0 else { return Folder(path: path, descriptor: Descriptor(number)) }
    switch errno {
    case ENOENT where !isMade: return nil
    case ENOTDIR, ELOOP, EMLINK: throw Self.failure(path, "it is a symbolic link or not a folder")
    default: throw Self.failure(path, errno)
    }
  }

  /// What the name stands for; a file of more than so many bytes is none of ours.
  ///
  /// - Throws: `StorageFailed` when a file cannot be read.
  func content(_ name: String, atMost limit: Int) throws(Failure) -> Content {
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = Descriptor(openat(descriptor.number, name, flags))
    guard file.number >= 0 else {
      switch errno {
      case ENOENT: return .nothing
      case ELOOP, EMLINK: return .link
      case ENXIO, ENODEV, EOPNOTSUPP: return .other
      default: throw failure(name, errno)
      }
    }
    guard let status = file.status() else { throw failure(name, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    guard status.st_size <= limit else { return .other }
    // One more than it has: what grows while it is read is not read to its end.
    guard let bytes = file.bytes(atMost: Int(status.st_size) + 1) else {
      throw failure(name, errno)
    }
    return .file(bytes)
  }

  /// Whether the name stands for a folder, itself and not through a link.
  func holdsFolder(_ name: String) -> Bool { kind(name) == S_IFDIR }

  /// The names here.
  ///
  /// - Throws: `StorageFailed` when the folder cannot be read.
  func names() throws(Failure) -> [String] {
    guard let names = descriptor.names() else { throw Self.failure(path, errno) }
    return names
  }

  /// The path of a name in a folder.
  static func joined(_ path: String, _ name: String) -> String {
    path == "/" ? "/" + name : path + "/" + name
  }

  /// The failure of writing a name in this folder.
  func failure(_ name: String, _ reason: String) -> Failure {
    Self.failure(Self.joined(path, name), reason)
  }

  func failure(_ name: String, _ number: Int32) -> Failure {
    Self.failure(Self.joined(path, name), number)
  }

  /// Makes the names here durable (fsync(2)).
  func synchronize() throws(Failure) {
    // EINVAL: a file system that has nothing to do for a folder.
    guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw Self.failure(path, errno) }
  }
}

extension Folder {
  /// The kind of what has the name (stat(2)), links not followed; nil when there is nothing.
  func kind(_ name: String) -> mode_t? {
    var status = stat()
    guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }

  private static func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let parent = (path as NSString).deletingLastPathComponent
    guard errno == ENOENT, !parent.isEmpty, parent != path else { throw failure(path, errno) }
    try make(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path, errno) }
  }

  private static func failure(_ path: String, _ number: Int32) -> Failure {
    failure(path, String(cString: strerror(number)))
  }

  static func failure(_ path: String, _ reason: String) -> Failure {
    let shown = Visible.text(path)
    return Failure(.storageFailed, "cannot write '\(shown)': \(reason)", input: shown)
  }
}
