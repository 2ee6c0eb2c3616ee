public import Core

/// A file of cookies in the Netscape format of curl(1) and browsers.
public enum CookieJar {
  private static let title = "# Netscape HTTP Cookie File"

  /// Returns the cookie lines of the file at the given path; empty if there is no such file.
  ///
  /// - Throws: `PermissionDenied` if other users may read the file; `StorageFailed` if it cannot be
  ///   read.
  public static func read(_ path: String) throws(Failure) -> [String] {
    let bytes = try PrivateFile.read(path) ?? []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init).filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }
  }

  /// Writes the given cookies to a file atomically; only its owner can read the file.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
  public static func write(_ cookies: [String], to path: String) throws(Failure) {
    let lines = [title, ""] + cookies.sorted() + [""]
    try PrivateFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}
