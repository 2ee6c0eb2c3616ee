public import Core

/// Cookies in a file, in the form of Netscape's that curl(1) and browsers write.
public enum CookieJar {
  private static let title = "# Netscape HTTP Cookie File"

  /// The lines of a jar; none when there is no such file.
  ///
  /// - Throws: `PermissionDenied` when others may read it, `StorageFailed` when it cannot be read.
  public static func read(_ path: String) throws(Failure) -> [String] {
    let bytes = try PrivateFile.read(path) ?? []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init).filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }
  }

  /// Writes a jar that only its owner may read, in one step.
  ///
  /// - Throws: `StorageFailed`.
  public static func write(_ cookies: [String], to path: String) throws(Failure) {
    let lines = [title, ""] + cookies.sorted() + [""]
    try PrivateFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}
