import Core
import Foundation

/// Folders that only their owner can access, so that nobody else can place files in them.
enum PrivateFolder {
  /// Creates a folder, or makes an existing one private to this user.
  ///
  /// - Throws: `StorageFailed` for another user's folder, a link, or anything but a folder.
  static func make(_ path: String) throws(Failure) {
    try Directories.make(path)
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failed(path, String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failed(path, "it is not a folder") }
    guard status.st_uid == geteuid() else { throw failed(path, "it belongs to another user") }
    guard status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw failed(path, String(cString: strerror(errno))) }
  }

  /// Refuses a path that is not a plain file of this user.
  ///
  /// - Throws: `StorageFailed` for a link, or anything else that is not a plain file.
  static func refuseLink(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1
    else { throw failed(path, "it is not a plain file of this user") }
  }

  private static func failed(_ path: String, _ reason: String) -> Failure {
    Failure(.storageFailed, "cannot use '\(path)': \(reason)", input: path)
  }
}
