/// A resolver that converts a page's links to absolute addresses (RFC 3986, section 5).
///
/// Results have the scheme http, https or mailto. Characters that are not valid in an address, such
/// as a space or a bracket, are percent-encoded.
struct LinkResolver {
  private var origin: [UInt8] = []
  private var path: [UInt8] = []
  private var page: [UInt8] = []
  /// The base that the document itself names.
  ///
  /// It is stored if it is relative and the document's address is unknown.
  private var relativeBase: ArraySlice<UInt8> = []

  /// `true` if relative links can be resolved to absolute addresses.
  var hasBase: Bool { !origin.isEmpty }

  /// Creates a resolver with the given base.
  ///
  /// If the base is empty or invalid, only absolute links are resolved.
  init(base: String) {
    let bytes = Array(base.utf8.prefix(8192))
    guard let mark = Self.scheme(of: bytes[...]), Self.isWeb(bytes[..<mark]) else { return }
    let rest = bytes[(mark + 1)...]
    guard rest.starts(with: "//".utf8) else { return }
    let authority = rest.dropFirst(2).prefix { !Self.endsAuthority.contains($0) }
    guard !authority.isEmpty else { return }
    origin = Array(bytes[..<authority.endIndex])
    let tail = bytes[authority.endIndex...]
    path = Array(tail.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    page = Array(bytes.prefix { $0 != UInt8(ascii: "#") })
  }

  /// Returns a resolver whose base is the given reference, from the document's `<base href>`.
  func rebased(on reference: ArraySlice<UInt8>) -> LinkResolver {
    if let base = resolve(reference) { return LinkResolver(base: base) }
    guard let base = relative(reference) else { return self }
    var rebased = self
    rebased.relativeBase = Array(base.utf8)[...].prefix { $0 != UInt8(ascii: "#") }
    return rebased
  }

  /// Returns the absolute address of the given reference.
  ///
  /// It is nil if there is none, or if its scheme is not allowed.
  func resolve(_ reference: ArraySlice<UInt8>) -> String? {
    let trimmed = Self.trimmed(reference)
    guard !trimmed.isEmpty, trimmed.count <= 8192 else { return nil }
    if let mark = Self.scheme(of: trimmed) {
      let scheme = trimmed[..<mark].map(\.lowercased)
      let rest = trimmed[(mark + 1)...]
      if scheme.elementsEqual("mailto".utf8) { return Self.encoded(scheme + [58] + rest) }
      guard Self.isWeb(scheme[...]), rest.starts(with: "//".utf8), rest.count > 2 else {
        return nil
      }
      return Self.encoded(scheme + [UInt8(ascii: ":")] + Self.rooted(rest))
    }
    guard let colon = origin.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    switch trimmed.first {
    case UInt8(ascii: "#"): return Self.encoded(page + trimmed)
    case UInt8(ascii: "?"): return Self.encoded(origin + (path.isEmpty ? [47] : path) + trimmed)
    case UInt8(ascii: "/") where trimmed.dropFirst().first == UInt8(ascii: "/"):
      return trimmed.count > 2 ? Self.encoded(origin[...colon] + Self.rooted(trimmed)) : nil
    case UInt8(ascii: "/"): return Self.encoded(origin + Self.withoutDots(trimmed))
    default:
      let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? [47]
      return Self.encoded(origin + Self.withoutDots(folder + trimmed))
    }
  }

  /// Returns the given relative reference, for a document whose address is unknown.
  ///
  /// If the document names its own relative base, the reference is joined to that base. The result
  /// is still relative to the document. It is nil if the reference is not relative.
  func relative(_ reference: ArraySlice<UInt8>) -> String? {
    let trimmed = Self.trimmed(reference)
    guard !hasBase, let first = trimmed.first, trimmed.count <= 8192,
      Self.scheme(of: trimmed) == nil, !trimmed.starts(with: "//".utf8),
      !trimmed.contains(UInt8(ascii: "\\"))
    else { return nil }
    guard !relativeBase.isEmpty, first != UInt8(ascii: "/") else {
      return first == UInt8(ascii: "#") ? nil : Self.encoded(Self.unlikeScheme(trimmed))
    }
    let base = relativeBase.prefix { $0 != UInt8(ascii: "?") }
    switch first {
    case UInt8(ascii: "#"): return Self.encoded(relativeBase + trimmed)
    case UInt8(ascii: "?"): return Self.encoded(base + trimmed)
    default:
      let folder = base.lastIndex(of: UInt8(ascii: "/")).map { base[...$0] } ?? []
      return Self.encoded(Self.unlikeScheme(Self.withoutDots(folder + trimmed)[...]))
    }
  }

  /// Returns the given relative reference, prefixed if its first segment could be read as a scheme.
  ///
  /// See RFC 3986, section 4.2.
  private static func unlikeScheme(_ reference: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let segment = reference.prefix { !endsAuthority.contains($0) }
    return segment.contains(UInt8(ascii: ":")) ? Array("./".utf8) + reference : reference
  }

  /// Returns the part of the given address after its scheme.
  ///
  /// A missing path becomes `/`. A user name with a password is removed, because it is a secret. A
  /// user name alone is kept, because it is often an email address. See "path start state" in the
  /// URL Standard.
  private static func rooted(_ whole: ArraySlice<UInt8>) -> [UInt8] {
    var rest = whole
    var end = rest.dropFirst(2).firstIndex(where: endsAuthority.contains) ?? rest.endIndex
    if let at = rest[..<end].lastIndex(of: UInt8(ascii: "@")),
      rest[..<at].contains(UInt8(ascii: ":"))
    {
      rest = (rest.prefix(2) + rest[(at + 1)...])[...]
      end = rest.dropFirst(2).firstIndex(where: endsAuthority.contains) ?? rest.endIndex
    }
    if end < rest.endIndex, rest[end] != UInt8(ascii: "?"), rest[end] != UInt8(ascii: "#") {
      return Array(rest)
    }
    return Array(rest[..<end]) + [UInt8(ascii: "/")] + rest[end...]
  }

  /// Returns the index of the colon after the scheme; nil if the given bytes begin with no scheme.
  private static func scheme(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, isLetter(first) else { return nil }
    let end = bytes.firstIndex {
      !(isLetter($0) || isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E)
    }
    return end.flatMap { bytes[$0] == UInt8(ascii: ":") ? $0 : nil }
  }

  private static func isWeb(_ scheme: ArraySlice<UInt8>) -> Bool {
    let lower = scheme.map(\.lowercased)
    return lower.elementsEqual("http".utf8) || lower.elementsEqual("https".utf8)
  }

  /// Returns the given reference without the whitespace that HTML ignores.
  ///
  /// That is whitespace at both ends, and line breaks inside.
  private static func trimmed(_ reference: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = reference.drop { $0 <= 0x20 }
    let end = start.lastIndex { $0 > 0x20 }.map { start[...$0] } ?? []
    guard end.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else { return end }
    return end.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
  }

  /// Returns the given reference without `.` and `..` segments in its path (RFC 3986, section
  /// 5.2.4).
  ///
  /// A relative path keeps the `..` segments at its start.
  private static func withoutDots(_ reference: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(reference)
    let slash = UInt8(ascii: "/")
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    let isRooted = bytes.first == slash
    let up: [UInt8] = [0x2E, 0x2E]
    var segments: [ArraySlice<UInt8>] = []
    let parts = bytes[(isRooted ? 1 : 0)..<end]
      .split(separator: slash, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isUp = part.elementsEqual(up)
      let leadsOut = isUp && !isRooted && segments.last?.elementsEqual(up) ?? true
      if isUp, !leadsOut, !segments.isEmpty { segments.removeLast() }
      if leadsOut || !isUp && !part.elementsEqual([0x2E]) {
        segments.append(part)
      } else if index == parts.count - 1 {
        segments.append([])
      }
    }
    return (isRooted ? [slash] : []) + segments.joined(separator: [slash]) + bytes[end...]
  }

  private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.underestimatedCount)
    let special = special
    for byte in bytes {
      if byte <= 0x20 || byte == 0x7F || special.contains(byte) {
        output.append(UInt8(ascii: "%"))
        output.append(hex[Int(byte >> 4)])
        output.append(hex[Int(byte & 15)])
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let endsAuthority = ByteSet("/?#\\")
  private static let special = ByteSet("<>[]\\^`{|}\"")
  private static let hex = Array("0123456789ABCDEF".utf8)
}
