/// The kind of a response body or a file, judged by its media type and its first bytes.
public enum DocumentKind: Sendable, Equatable {
  /// A page in HTML, of any version.
  case html
  /// Text that is returned unchanged, such as plain text, JSON or XML.
  case text
  /// Markdown.
  case markdown
  /// A feed or a sitemap, in XML or JSON.
  case feed
  /// A PDF, which an external program converts to text.
  case pdf
  /// A document that has no readable text, with its media type.
  case unsupported(String)

  /// Returns the kind of a document with the given media type; nil if the type does not determine
  /// it.
  public static func labelled(_ type: String?) -> DocumentKind? {
    guard let type, !type.isEmpty, type != "application/octet-stream",
      type != "binary/octet-stream"
    else { return nil }
    if let known = known[type] { return known }
    let isText = type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
    return isText ? .text : .unsupported(type)
  }

  /// Returns the kind of the given body.
  ///
  /// Its bytes take precedence over its media type, which is often wrong.
  public static func of(_ body: [UInt8], type: String?) -> DocumentKind {
    if let magic = magic(of: body) { return magic }
    let label = labelled(type)
    if label == .pdf { return .unsupported(type ?? "application/pdf") }
    let isWide = isUTF16(body)
    if !isWide, isBinary(body, most: label == .html ? 102 : 0) {
      let isGuess = label != .html && label != .text && label != nil
      return .unsupported(isGuess ? type ?? binary : binary)
    }
    if case .unsupported = label { return label ?? .text }
    switch root(of: body) {
    case let name? where FeedParser.isRoot(name): return .feed
    case "html" where label != .markdown: return .html
    case let name? where htmlStarts.contains(name.lowercased()):
      if label == nil || type == "text/plain" { return .html }
    default: break
    }
    if label == .feed || label == .text, isJSONFeed(body) { return .feed }
    return label == .feed ? .text : label ?? .text
  }

  /// The media type of a body of this kind that came without a media type.
  public var mediaType: String {
    switch self {
    case .html: "text/html"
    case .text: "text/plain"
    case .markdown: "text/markdown"
    case .feed: "application/xml"
    case .pdf: "application/pdf"
    case .unsupported(let type): type
    }
  }

  /// Returns the media type for the given path's extension; nil if the extension is unknown.
  public static func mediaType(ofFile path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return types[name[name.index(after: dot)...].lowercased()]
  }

  private static let types = [
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
    "md": "text/markdown", "markdown": "text/markdown", "txt": "text/plain",
    "json": "application/json", "xml": "application/xml", "rss": "application/rss+xml",
    "atom": "application/atom+xml", "pdf": "application/pdf",
  ]

  private static let binary = "application/octet-stream"
  private static let htmlStarts: Set = ["html", "head", "body", "!doctype html"]

  /// Returns the name of the given body's first element or HTML document type; nil if it has
  /// neither.
  private static func root(of body: [UInt8]) -> String? {
    var rest = body.prefix(4096)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "<") else { return nil }
      let start = String(decoding: rest.dropFirst().prefix(14), as: UTF8.self).lowercased()
      if start.hasPrefix("!doctype html") { return "!doctype html" }
      if start.hasPrefix("!--") {
        guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
        rest = rest[end.upperBound...]
      } else if start.hasPrefix("?") || start.hasPrefix("!") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        rest = rest[(end + 1)...]
      } else {
        let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != 0x2F && $0 != 0x3E }
        return String(decoding: name.prefix(32), as: UTF8.self)
      }
    }
  }

  private static func isJSONFeed(_ body: [UInt8]) -> Bool {
    body.prefix(4096).firstRange(of: Array("jsonfeed.org/version/".utf8)) != nil
      || body.prefix(4096).firstRange(of: Array("jsonfeed.org\\/version\\/".utf8)) != nil
  }

  /// Returns `true` if the given body is probably UTF-16.
  ///
  /// It then begins with a byte order mark, or every second one of its first bytes is NUL.
  private static func isUTF16(_ body: [UInt8]) -> Bool {
    if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) { return true }
    let start = body.prefix(64)
    guard start.count >= 16 else { return false }
    let even = start.indices.filter { $0 & 1 == 0 && start[$0] == 0 }.count
    let odd = start.indices.filter { $0 & 1 == 1 && start[$0] == 0 }.count
    return min(even, odd) == 0 && max(even, odd) * 4 > start.count
  }

  /// Returns `true` if the given body's first bytes contain more than `most` control characters.
  private static func isBinary(_ body: [UInt8], most: Int) -> Bool {
    body.prefix(1024).lazy.filter {
      $0 < 0x09 || $0 == 0x0B || 0x0E...0x1A ~= $0 || 0x1C...0x1F ~= $0
    }.prefix(most + 1).count > most
  }

  private static func magic(of body: [UInt8]) -> DocumentKind? {
    if body.dropFirst(4).starts(with: "ftyp".utf8) { return .unsupported("video/mp4") }
    if body.starts(with: "RIFF".utf8) {
      let form = String(decoding: body.dropFirst(8).prefix(4), as: UTF8.self)
      return .unsupported(riff[form] ?? "application/riff")
    }
    if body.starts(with: "%PDF-".utf8) { return .pdf }
    if body.dropFirst(257).starts(with: "ustar".utf8) { return .unsupported("application/x-tar") }
    return signatures.first { body.starts(with: $0.bytes) }.map { .unsupported($0.type) }
  }

  private static let known: [String: DocumentKind] = [
    "text/html": .html, "application/xhtml+xml": .html, "text/markdown": .markdown,
    "text/x-markdown": .markdown, "application/pdf": .pdf, "application/x-pdf": .pdf,
    "application/rss+xml": .feed, "application/atom+xml": .feed, "application/rdf+xml": .feed,
    "application/feed+json": .feed, "application/json": .text, "application/xml": .text,
    "application/javascript": .text, "application/x-ndjson": .text, "application/yaml": .text,
    "application/x-yaml": .text, "application/toml": .text, "application/ld+json": .text,
    // This type is an image, although its suffix is that of a text type.
    "image/svg+xml": .unsupported("image/svg+xml"),
  ]

  private static let riff = ["WEBP": "image/webp", "WAVE": "audio/wav", "AVI ": "video/avi"]

  private static let signatures: [(bytes: [UInt8], type: String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "application/zip"),
    ([0x50, 0x4B, 0x05, 0x06], "application/zip"),
    ([0x89, 0x50, 0x4E, 0x47], "image/png"),
    (Array("GIF8".utf8), "image/gif"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    ([0x49, 0x49, 0x2A, 0x00], "image/tiff"),
    ([0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
    ([0x00, 0x00, 0x01, 0x00], "image/x-icon"),
    ([0x1F, 0x8B], "application/gzip"),
    ([0x28, 0xB5, 0x2F, 0xFD], "application/zstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "application/x-xz"),
    (Array("BZh".utf8), "application/x-bzip2"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"),
    (Array("Rar!\u{1A}\u{7}".utf8), "application/vnd.rar"),
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage"),
    (Array("ID3".utf8), "audio/mpeg"),
    (Array("fLaC".utf8), "audio/flac"),
    (Array("OggS".utf8), "audio/ogg"),
    (Array("MThd".utf8), "audio/midi"),
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
    (Array("wOFF".utf8), "font/woff"),
    (Array("wOF2".utf8), "font/woff2"),
    (Array("%!PS".utf8), "application/postscript"),
    (Array("{\\rtf".utf8), "application/rtf"),
    (Array("SQLite format 3\u{0}".utf8), "application/vnd.sqlite3"),
    ([0x7F, 0x45, 0x4C, 0x46], "application/x-executable"),
    ([0x00, 0x61, 0x73, 0x6D], "application/wasm"),
  ]
}
