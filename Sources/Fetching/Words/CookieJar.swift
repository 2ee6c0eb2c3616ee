public import Core

/// A file of cookies in the Netscape format, which curl(1) and browsers use.
public enum CookieJar {
  private static let title = "# Netscape HTTP Cookie File"

  /// Returns the lines of the cookie file at the given path; none if there is no such file.
  ///
  /// - Throws: `PermissionDenied` if other users may read the file; `StorageFailed` if the file
  ///   cannot be read.
  public static func read(_ path: String) throws(Failure) -> [String] {
    let bytes = try PrivateFile.read(path) ?? []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init).filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }
  }

  /// Writes the given cookies atomically to the file at the given path.
  ///
  /// Only the owner can read the file.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
  public static func write(_ cookies: [String], to path: String) throws(Failure) {
    let lines = [title, ""] + cookies.sorted() + [""]
    try PrivateFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}
