package import Foundation

/// A file that was read whole, once it was known to be one: no pipe that one would wait for, no device.
public struct PlainFile: Sendable {
  /// Why a file was not read.
  public enum Problem: Error, Hashable {
    /// There is none.
    case missing
    /// The system's reason (errno(3)).
    case system(Int32)
    /// It is a folder, a pipe, a device.
    case notPlain
    /// It is larger than was allowed.
    case tooLarge
    /// Others may have written it; the path of the file or folder that lets them.
    case unsafe(String)

    /// What errno says.
    package static var last: Problem {
      errno == ENOENT || errno == ENOTDIR ? .missing : .system(errno)
    }

    /// Whether the system does not let one read it.
    public var isDenied: Bool { self == .system(EACCES) || self == .system(EPERM) }

    /// The reason in words, for after a colon.
    public var reason: String {
      switch self {
      case .missing: String(cString: strerror(ENOENT))
      case .system(let code): String(cString: strerror(code))
      case .notPlain: "it is not a plain file"
      case .tooLarge: "it is too large"
      case .unsafe(let path):
        "'\(path)' must belong to you or root, and nobody else may write to it (chmod go-w)"
      }
    }
  }

  /// What is in it.
  public let bytes: [UInt8]
  /// Whose it is, which group's, and what they may do with it (chmod(2)).
  package let owner: uid_t, group: gid_t, mode: mode_t

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - most: The most bytes that it may have.
  ///   - followsLink: Whether the path may be a symbolic link.
  /// - Throws: ``Problem``.
  public init(_ path: String, atMost most: Int, followsLink: Bool = true) throws(Problem) {
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    try self.init(descriptor: Descriptor(open(path, flags)), atMost: most)
  }

  /// Reads what was opened, and closes it.
  ///
  /// - Parameters:
  ///   - descriptor: The file, or one that is not open, with the reason in errno.
  ///   - most: The most bytes that it may have.
  /// - Throws: ``Problem``.
  package init(descriptor: consuming Descriptor, atMost most: Int) throws(Problem) {
    guard descriptor.isOpen else { throw .last }
    guard let status = descriptor.status() else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    // What the size says may be wrong by now.
    guard let bytes = descriptor.bytes(atMost: most + 1) else { throw .system(EIO) }
    self.bytes = bytes
    guard bytes.count <= most else { throw .tooLarge }
  }

  /// Whether it belongs to this user, and nobody else may do with it what the bits say (chmod(2)).
  ///
  /// - Parameters:
  ///   - bits: What others may not do, such as `0o077`.
  ///   - orRoot: Whether it may belong to the superuser, too.
  /// - Returns: Whether that is so.
  public func isOurs(closedFor bits: UInt32, orRoot: Bool = false) -> Bool {
    (owner == geteuid() || orRoot && owner == 0) && UInt32(mode) & bits == 0
  }

  /// Whether nobody but this user and the superuser may read or write it.
  ///
  /// To the file of another user's service systemd adds an access control list that lets that user
  /// read; it is then mode 0440, root's and of root's group, and its group's bits are what the list
  /// lets anybody do (acl(5)).
  public var isCredential: Bool {
    isOurs(closedFor: 0o077, orRoot: true)
      || owner == 0 && group == 0 && UInt32(mode) & 0o777 == 0o440
  }
}
