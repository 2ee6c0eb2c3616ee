import Core
import Foundation

extension PlainFile {
  /// Reads a file that the tools obey, once it is known that nobody else can have written it.
  ///
  /// The file and the folder that it lies in belong to this user or the superuser, and neither their
  /// group nor all others may write to them, but for the group that is this user's alone. A folder
  /// with the sticky bit, such as `/tmp`, may be anybody's to write to. What is judged is what was
  /// opened, not what has the name by then.
  ///
  /// A symbolic link is followed, and judged as a file is, with the folder that it lies in.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - most: The most bytes that it may have.
  /// - Throws: ``Problem``; of the kinds, ``Problem/unsafe(_:)`` is this function's own.
  init(obeyed path: String, atMost most: Int) throws(Problem) {
    var path = path
    // As many links as Linux follows (path_resolution(7)).
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

/// The folder of a file that the tools obey, held open.
private struct ObeyedFolder: ~Copyable {
  private let folder: Descriptor

  /// Opens the folder of a path.
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

  /// Opens the file of that path here, links not followed.
  func open(_ path: String) -> Descriptor {
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    Descriptor(
      openat(
        folder.number, Self.name(of: path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
  }

  /// Where a link leads (readlinkat(2)).
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

/// The group that a system makes for one user.
///
/// Where there are such groups, umask(2) is 002 and all that a user makes is writable by the group.
enum PrivateGroup {
  /// Whether the group is that user's alone.
  ///
  /// It is by what pam_umask(8) asks before it sets such a umask: the user is not the superuser, and
  /// both have one number and one name. Nobody else is a member.
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
