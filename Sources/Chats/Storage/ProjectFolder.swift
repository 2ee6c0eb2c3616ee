public import Core
import Foundation

/// The folders that chats are about.
public enum ProjectFolder {
  /// The one path of a folder, links followed (realpath(3)).
  ///
  /// - Throws: `NotFound` where there is no such folder.
  public static func path(_ folder: String) throws(Failure) -> String {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let whole = realpath(folder, nil)
    else { throw Failure(.notFound, "there is no folder '\(folder)'", input: folder) }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// The path that a project has which is about a folder: its one path, or the absolute path
  /// without `.` and `..` of a folder that is not there.
  static func projectPath(_ folder: String) -> String {
    (try? path(folder)) ?? URL(fileURLWithPath: folder).standardizedFileURL.path
  }
}
