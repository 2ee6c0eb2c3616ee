public import Core

/// A file of cookies in the Netscape format of curl(1) and browsers.
public enum CookieJar {
  private static let title = "# Netscape HTTP Cookie File"

  /// Returns the lines of a jar; none if there is no such file.
  ///
  /// - Throws: `PermissionDenied` if others may read it, `StorageFailed` if it cannot be read.
  public static func read(_ path: String) throws(Failure) -> [String] {
    let bytes = try PrivateFile.read(path) ?? []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init).filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }
  }

  /// Writes a jar atomically, readable only by its owner.
  ///
  /// - Throws: `StorageFailed`.
  public static func write(_ cookies: [String], to path: String) throws(Failure) {
    let lines = [title, ""] + cookies.sorted() + [""]
    try PrivateFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}
