import Core
import Foundation

/// Folders that only their owner can access.
enum PrivateFolder {
  /// Creates a private folder at the given path.
  ///
  /// An existing folder is made private to this user.
  ///
  /// - Throws: `StorageFailed` if the path is another user's folder, a link, or not a folder.
  static func make(_ path: String) throws(Failure) {
    try Directories.make(path)
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failed(path, String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failed(path, "it is not a folder") }
    guard status.st_uid == geteuid() else { throw failed(path, "it belongs to another user") }
    guard status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw failed(path, String(cString: strerror(errno))) }
  }

  /// Throws a failure unless the given path is a regular file of this user or does not exist.
  ///
  /// - Throws: `StorageFailed` if the path is a link, another user's file, or not a regular file.
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
