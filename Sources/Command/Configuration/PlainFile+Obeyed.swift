import Core
import Foundation

extension PlainFile {
  /// Reads a file that controls the tools, after checking that no other user can have written it.
  ///
  /// The file and its folder must belong to this user or the superuser. No group and no other user
  /// may be able to write to them, except a group that is private to this user. A folder with the
  /// sticky bit, such as `/tmp`, may be writable by anyone. The checks apply to the opened file,
  /// not to the name.
  ///
  /// A symbolic link is followed; the link and its folder are checked in the same way.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - most: The size limit in bytes.
  /// - Throws: A ``Problem`` if the file cannot be read. It is ``Problem/unsafe(_:)`` if a check
  ///   fails.
  init(obeyed path: String, atMost most: Int) throws(Problem) {
    var path = path
    // Linux follows the same number of links (path_resolution(7)).
    for _ in 0..<40 {
      let folder = try ObeyedFolder.open(of: path)
      let file = folder.open(path)
      if !file.isOpen, errno == ELOOP || errno == EMLINK {
        path = try folder.target(of: path)
        continue
      }
      try self.init(descriptor: file, atMost: most)
      let isShared = mode & 0o020 != 0 && !PrivateGroup.isOnly(owner, group)
      guard isOurs(closedFor: isShared ? 0o022 : 0o002, orRoot: true) else { throw .unsafe(path) }
      return
    }
    throw .system(ELOOP)
  }
}

/// The folder of a file that controls the tools.
///
/// The folder is open while the value exists.
private struct ObeyedFolder: ~Copyable {
  private let folder: Descriptor

  /// Opens and checks the folder that contains the given path.
  static func open(of path: String) throws(PlainFile.Problem) -> ObeyedFolder {
    let path = folder(of: path)
    let opened = ObeyedFolder(
      folder: Descriptor(Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
    guard opened.folder.isOpen, let status = opened.folder.status() else { throw .last }
    let isOpen =
      status.st_mode & 0o002 != 0
      || status.st_mode & 0o020 != 0 && !PrivateGroup.isOnly(status.st_uid, status.st_gid)
    guard isTrusted(status), !isOpen || status.st_mode & S_ISVTX != 0 else { throw .unsafe(path) }
    return opened
  }

  /// Opens the file at the given path in the folder, without following links.
  func open(_ path: String) -> Descriptor {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    Descriptor(
      openat(
        folder.number, Self.name(of: path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
  }

  /// Returns the target of the link at the given path (readlinkat(2)).
  func target(of path: String) throws(PlainFile.Problem) -> String {
    let name = Self.name(of: path)
    var status = stat()
    guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    guard Self.isTrusted(status) else { throw .unsafe(path) }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(folder.number, name, &bytes, bytes.count)
    guard count >= 0 else { throw .last }
    let target = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
  }

  private static func isTrusted(_ status: stat) -> Bool {
    status.st_uid == geteuid() || status.st_uid == 0
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}

/// A group that contains only one user.
///
/// On systems with such groups, the umask(2) is 002, so that a user's group can write all of the
/// user's files.
enum PrivateGroup {
  /// Returns `true` if the given group is private to the given user.
  ///
  /// As in pam_umask(8), the user must not be the superuser, and the user and the group must have
  /// the same number and name. In addition, the group must have no other members.
  static func isOnly(_ user: uid_t, _ group: gid_t) -> Bool {
    guard user != 0, user == group, let name = name(of: user) else { return false }
    var entry = Foundation.group()
    var found: UnsafeMutablePointer<Foundation.group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard getgrgid_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      strcmp(entry.gr_name, name) == 0, var member = entry.gr_mem
    else { return false }
    while let other = member.pointee {
      guard strcmp(other, name) == 0 else { return false }
      member += 1
    }
    return true
  }

  private static func name(of user: uid_t) -> [CChar]? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return Array(UnsafeBufferPointer(start: entry.pw_name, count: strlen(entry.pw_name) + 1))
  }
}
