import Core
import Foundation

/// Folders that only their owner may use, where nobody can have planted anything.
enum PrivateFolder {
  /// Makes a folder, or sees to it that one is this user's alone.
  ///
  /// - Throws: `StorageFailed` for one that is another's, or a link, or no folder.
  static func make(_ path: String) throws(Failure) {
    try Directories.make(path)
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failed(path, String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failed(path, "it is not a folder") }
    guard status.st_uid == geteuid() else { throw failed(path, "it belongs to another user") }
    guard status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw failed(path, String(cString: strerror(errno))) }
  }

  /// Refuses what stands in a file's place and is none of ours.
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
