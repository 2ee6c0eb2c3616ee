import Core
import Foundation

/// The files below a folder.
struct FileTree {
  /// The greatest depth of folders that are searched.
  private static let deepest = 16

  /// The paths of the files, sorted.
  private(set) var files: [String] = []
  /// The folders that could not be read.
  private(set) var failures: [Failure] = []

  /// Finds the files below the given folder; symbolic links to folders are not followed.
  init(_ folder: String) {
    add(folder, depth: 0)
    files.sort()
  }

  private mutating func add(_ folder: String, depth: Int) {
    guard depth < Self.deepest else { return }
    guard let names = Descriptor.names(in: folder) else {
      return failures.append(Self.failure(folder))
    }
    for name in names {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: add(path, depth: depth + 1)
      case S_IFREG: files.append(path)
      default: continue
      }
    }
  }

  /// Returns the failure to open the given path, with the reason in errno.
  static func failure(_ path: String) -> Failure {
    let code = errno
    return Failure(
      code == ENOENT || code == ENOTDIR
        ? .notFound : code == EACCES || code == EPERM ? .permissionDenied : .storageFailed,
      "cannot read '\(Visible.line(path))': \(String(cString: strerror(code)))", input: path)
  }

  /// Returns `true` if there is a folder at the given path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns `true` if there is a regular file at the given path.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
