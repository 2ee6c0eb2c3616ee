import Core
import Foundation

/// An open folder, to which files can be written even if it is renamed.
///
/// Below the base folder, no component of the path may be a symbolic link (openat(2), O_NOFOLLOW).
struct Folder: ~Copyable {
  /// The content of an entry in the folder.
  enum Content: Hashable {
    case nothing
    /// A symbolic link.
    case link
    /// A regular file, with its bytes.
    case file([UInt8])
    /// Any other content: a folder, a device, a pipe, or a file above the maximum size.
    case other

    /// The bytes of the file; nil for other content.
    var bytes: [UInt8]? { if case .file(let bytes) = self { bytes } else { nil } }
  }

  let path: String
  let descriptor: Descriptor

  /// Opens the base folder at the given path.
  ///
  /// - Parameters:
  ///   - base: The path, which may be a symbolic link.
  ///   - isMade: `true` to create the folder and its parents if they are missing. Their modes
  ///     follow the umask.
  /// - Returns: The folder; nil if it is missing and `isMade` is `false`.
  /// - Throws: `StorageFailed` if the folder cannot be opened or created.
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

  /// Opens the folder with the given name in this folder.
  ///
  /// - Parameters:
  ///   - name: The name, which is a single component.
  ///   - isMade: `true` to create the folder if it is missing.
  /// - Returns: The folder; nil if it is missing and `isMade` is `false`.
  /// - Throws: `StorageFailed` if the name is a symbolic link, or the folder cannot be opened or
  ///   created.
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

  /// Returns the content of the entry with the given name.
  ///
  /// A file of more than `limit` bytes counts as other content.
  ///
  /// - Throws: `StorageFailed` if the file cannot be read.
  func content(_ name: String, atMost limit: Int) throws(Failure) -> Content {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
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
    // At most one byte more than the size is read, so that a file that grows meanwhile is not read
    // to its end.
    guard let bytes = file.bytes(atMost: Int(status.st_size) + 1) else {
      throw failure(name, errno)
    }
    return .file(bytes)
  }

  /// Returns `true` if the entry with the given name is a folder.
  ///
  /// A symbolic link to a folder does not count.
  func holdsFolder(_ name: String) -> Bool { kind(name) == S_IFDIR }

  /// Returns the names in the folder.
  ///
  /// - Throws: `StorageFailed` if the folder cannot be read.
  func names() throws(Failure) -> [String] {
    guard let names = descriptor.names() else { throw Self.failure(path, errno) }
    return names
  }

  /// Returns the path of the entry with the given name in the folder at the given path.
  static func joined(_ path: String, _ name: String) -> String {
    path == "/" ? "/" + name : path + "/" + name
  }

  /// Returns the failure to write the file with the given name, for the given reason.
  func failure(_ name: String, _ reason: String) -> Failure {
    Self.failure(Self.joined(path, name), reason)
  }

  func failure(_ name: String, _ number: Int32) -> Failure {
    Self.failure(Self.joined(path, name), number)
  }

  /// Makes changes to the folder's entries durable (fsync(2)).
  func synchronize() throws(Failure) {
    // EINVAL means that the file system has nothing to synchronize for a folder.
    guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw Self.failure(path, errno) }
  }
}

extension Folder {
  /// Returns the file type of the entry with the given name, as stat(2) reports it.
  ///
  /// Links are not followed. The result is nil if there is no such entry.
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
