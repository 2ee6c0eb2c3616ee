package import Foundation

/// The content and the ownership of a regular file.
///
/// Pipes and devices are refused.
public struct PlainFile: Sendable {
  /// The reason why a file was not read.
  public enum Problem: Error, Hashable {
    /// The file does not exist.
    case missing
    /// A system error (errno(3)).
    case system(Int32)
    /// A folder, a pipe or a device.
    case notPlain
    /// A file over the size limit.
    case tooLarge
    /// A file that others may have changed.
    ///
    /// The value is the path of the file or folder whose permissions allow the change.
    case unsafe(String)

    /// The problem that the current value of errno describes.
    package static var last: Problem {
      errno == ENOENT || errno == ENOTDIR ? .missing : .system(errno)
    }

    /// `true` if the system denied access.
    public var isDenied: Bool { self == .system(EACCES) || self == .system(EPERM) }

    /// The reason in words, as it follows a colon in a message.
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

  /// The file's content.
  public let bytes: [UInt8]
  /// The file's owner, group and permissions (chmod(2)).
  package let owner: uid_t, group: gid_t, mode: mode_t

  /// Reads the file at the given path.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - most: The size limit in bytes.
  ///   - followsLink: `true` if the path may be a symbolic link.
  /// - Throws: A ``Problem`` if the file cannot be read.
  public init(_ path: String, atMost most: Int, followsLink: Bool = true) throws(Problem) {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    try self.init(descriptor: Descriptor(open(path, flags)), atMost: most)
  }

  /// Reads the given open file, and closes it.
  ///
  /// - Parameters:
  ///   - descriptor: The file; if it is not open, errno holds the reason.
  ///   - most: The size limit in bytes.
  /// - Throws: A ``Problem`` if the file cannot be read.
  package init(descriptor: consuming Descriptor, atMost most: Int) throws(Problem) {
    guard descriptor.isOpen else { throw .last }
    guard let status = descriptor.status() else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    // The file may have grown since fstat(2), so the limit is checked on what is read.
    guard let bytes = descriptor.bytes(atMost: most + 1) else { throw .system(EIO) }
    self.bytes = bytes
    guard bytes.count <= most else { throw .tooLarge }
  }

  /// Returns `true` if the file belongs to this user and has none of the given permissions
  /// (chmod(2)).
  ///
  /// - Parameters:
  ///   - bits: The permissions that must not be set, such as `0o077`.
  ///   - orRoot: `true` if the file may also belong to the superuser.
  /// - Returns: `true` if both conditions hold.
  public func isOurs(closedFor bits: UInt32, orRoot: Bool = false) -> Bool {
    (owner == geteuid() || orRoot && owner == 0) && UInt32(mode) & bits == 0
  }

  /// `true` if only this user and the superuser can read or write the file.
  ///
  /// If a service runs as another user, systemd grants that user access by an access control list
  /// (acl(5)). Such a file has mode 0440, owner root and group root; its group bits are the mask of
  /// the list.
  public var isCredential: Bool {
    isOurs(closedFor: 0o077, orRoot: true)
      || owner == 0 && group == 0 && UInt32(mode) & 0o777 == 0o440
  }
}
