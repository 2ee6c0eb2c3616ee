public import Core
import Foundation

/// Paths of projects' folders.
public enum ProjectFolder {
  /// Returns the canonical path of the given folder, with links resolved (realpath(3)).
  ///
  /// - Throws: `NotFound` if there is no such folder.
  public static func path(_ folder: String) throws(Failure) -> String {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let whole = realpath(folder, nil)
    else { throw Failure(.notFound, "there is no folder '\(folder)'", input: folder) }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// Returns the path of the given folder's project.
  ///
  /// It is the canonical path. For a missing folder, it is the absolute path without `.` and `..`.
  static func projectPath(_ folder: String) -> String {
    (try? path(folder)) ?? URL(fileURLWithPath: folder).standardizedFileURL.path
  }
}
