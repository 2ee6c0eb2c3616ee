/// Conversions of URLs to a form that is safe to show, without a user name and a password.
///
/// A well-formed URL is split as RFC 3986 specifies. In any other URL, everything before the last
/// `@` may be a password. The code compares bytes, not characters. To Swift, an `@` with a
/// combining accent is another character, but libcurl still sees an `@`.
public enum ShownURL {
  /// Returns the given URL without userinfo.
  public static func withoutUserinfo(_ url: String) -> String {
    let bytes = Array(url.utf8)
    guard let cut = userinfo(bytes) else { return guessed(bytes) }
    return String(decoding: bytes[..<cut.lowerBound] + bytes[cut.upperBound...], as: UTF8.self)
  }

  /// Returns the given text with `[redacted]` in place of userinfo in each URL in it.
  ///
  /// White space, a quote, `<` or `>` ends a URL. What people decide on does not pass through here,
  /// but through ``ApprovalGate/words(_:upTo:)``: it may be a command that only looks like a URL.
  public static func inText(_ text: String) -> String {
    // A fast path: most texts contain nothing that could end userinfo.
    guard text.utf8.contains(where: { $0 == at || $0 == 0x25 || $0 == 0xEF }), text.contains("://")
    else { return text }
    var shown: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let isWord = !endsWord(rest[rest.startIndex])
      let piece = rest.prefix { endsWord($0) != isWord }
      shown += isWord ? inWord(piece) : Array(piece)
      rest = rest[piece.endIndex...]
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the given name, such as a file's name, without userinfo if it could be a URL.
  public static func inName(_ text: String) -> String {
    mayHoldPassword(text) ? withoutUserinfo(text) : text
  }

  /// Returns `true` if the given text, such as a file's name, could be a URL with a password.
  public static func mayHoldPassword(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard lastAt(bytes) != nil else { return false }
    return bytes.starts(with: "//".utf8) || schemeEnd(bytes) != nil
  }

  private static let at = UInt8(ascii: "@")
  package static let colon = UInt8(ascii: ":")

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "\"'`<>".utf8.contains(byte)
  }

  private static func inWord(_ word: ArraySlice<UInt8>) -> [UInt8] {
    guard let mark = word.indices.first(where: { word[$0...].starts(with: "://".utf8) }),
      lastAt(Array(word)) != nil
    else { return Array(word) }
    let scheme = word[..<mark].reversed().prefix { $0.isLetter || $0.isDigit || $0 == 0x2B }
    let start = mark - scheme.count
    // A second URL may follow the authority of a well-formed one.
    let isWell = userinfo(Array(word[start...])) != nil
    let end = isWell ? word[(mark + 3)...].firstIndex(where: endsAuthority) : nil
    let url = String(decoding: word[start..<(end ?? word.endIndex)], as: UTF8.self)
    var shown = withoutUserinfo(url)
    if shown != url, !shown.hasSuffix(":…") {
      let prefix = String(decoding: word[start..<(mark + 3)], as: UTF8.self)
      let place = shown.hasPrefix(prefix) ? prefix.endIndex : shown.startIndex
      shown.insert(contentsOf: "[redacted]@", at: place)
    }
    return word[..<start] + shown.utf8 + (end.map { inWord(word[$0...]) } ?? [])
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool { "/?#\\".utf8.contains(byte) }

  /// Returns the range of the userinfo and its `@` in the given URL; nil if it is not well-formed
  /// or has no userinfo.
  package static func userinfo(_ bytes: [UInt8]) -> Range<Int>? {
    guard let colon = schemeEnd(bytes), bytes[colon...].starts(with: "://".utf8) else { return nil }
    let start = colon + 3
    let end = bytes[start...].firstIndex(where: endsAuthority) ?? bytes.endIndex
    let host = bytes[start..<end].lastIndex(of: at).map { $0 + 1 } ?? start
    return isHostAndPort(bytes[host..<end]) ? start..<host : nil
  }

  /// Returns the index of the colon after the URL's scheme; nil if there is no scheme.
  package static func schemeEnd(_ bytes: [UInt8]) -> Int? {
    guard let end = bytes.firstIndex(of: colon), let first = bytes.first, first.isLetter,
      bytes[..<end].allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { return nil }
    return end
  }

  /// Returns `true` if the given part of a URL is a host, with an optional port, without userinfo.
  private static func isHostAndPort(_ part: ArraySlice<UInt8>) -> Bool {
    let bracket = part.lastIndex(of: UInt8(ascii: "]")) ?? part.startIndex
    let isAddress = part.first == UInt8(ascii: "[")
    guard isAddress || !part.contains(UInt8(ascii: "]")) else { return false }
    let port = part[bracket...].firstIndex(of: colon) ?? part.endIndex
    // An empty port before a path is more often a password that begins with a slash than a port.
    return !part.isEmpty && part.last != colon && part[port...].dropFirst().allSatisfy(\.isDigit)
      && lastAt(Array(part)) == nil && part.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// Returns the range of the last `@`, `%40`, U+FE6B or U+FF20.
  ///
  /// Each of them may stand for the `@` before a host.
  package static func lastAt(_ bytes: [UInt8]) -> Range<Int>? {
    let marks: [[UInt8]] = [[at], [0x25, 0x34, 0x30], [0xEF, 0xB9, 0xAB], [0xEF, 0xBC, 0xA0]]
    return bytes.indices.reversed().lazy.compactMap { index in
      marks.first { bytes[index...].starts(with: $0) }.map { index..<(index + $0.count) }
    }.first
  }

  /// Returns the given malformed URL without everything that may be a password.
  private static func guessed(_ bytes: [UInt8]) -> String {
    let scheme = schemeEnd(bytes).map { bytes[..<$0].map { $0 | 0x20 } } ?? []
    let isWeb = scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
    let start = isWeb ? String(decoding: scheme, as: UTF8.self) + "://" : ""
    if let mark = lastAt(bytes) {
      return start + String(decoding: bytes[mark.upperBound...], as: UTF8.self)
    }
    guard isWeb else { return String(decoding: bytes, as: UTF8.self) }
    // A user name and a password, with the host missing or cut off.
    let rest = bytes[(scheme.count + 1)...].drop { $0 == 0x2F || $0 == 0x5C }
    guard let end = rest.firstIndex(of: colon), !isHostAndPort(rest.prefix { !endsAuthority($0) })
    else { return String(decoding: bytes, as: UTF8.self) }
    return start + String(decoding: rest[..<end], as: UTF8.self) + ":…"
  }
}
