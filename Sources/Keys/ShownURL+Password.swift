import Core

extension ShownURL {
  /// Returns the password in the given URL, still percent-encoded; nil if there is none.
  static func password(in url: String) -> String? {
    let bytes = Array(url.utf8)
    guard mayHoldPassword(url), withoutUserinfo(url) != url else { return nil }
    let start = schemeEnd(bytes).map { $0 + 1 } ?? 0
    let end = lastAt(bytes).map { max($0.lowerBound, start) } ?? bytes.endIndex
    let words = userinfo(bytes).map { bytes[$0].dropLast() } ?? bytes[start..<end]
    if let mark = words.firstIndex(of: colon) {
      return String(decoding: words[(mark + 1)...], as: UTF8.self)
    }
    // Without a scheme, the name before the colon is the user name.
    return userinfo(bytes) == nil && words.first != 0x2F && !bytes.starts(with: "http".utf8)
      ? String(decoding: words, as: UTF8.self) : nil
  }
}
