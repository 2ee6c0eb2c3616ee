/// What a body is, by its label and its first bytes.
enum DocumentKind: Sendable, Equatable {
  case html
  /// Text that is kept as it is: plain, Markdown, JSON, XML.
  case text
  /// Something that has no text to read here, by its media type.
  case unsupported(String)

  /// Judges a media type alone; nil where only the bytes can tell.
  static func labelled(_ type: String?) -> DocumentKind? {
    guard let type, !type.isEmpty, type != "application/octet-stream",
      type != "binary/octet-stream"
    else { return nil }
    if type == "text/html" || type == "application/xhtml+xml" { return .html }
    let isText =
      type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
      || textTypes.contains(type)
    return isText ? .text : .unsupported(type)
  }

  /// Judges a body with its label: labels lie, magic numbers seldom do.
  static func of(_ body: [UInt8], type: String?) -> DocumentKind {
    if let magic = magic(of: body) { return .unsupported(magic) }
    let label = labelled(type)
    if label == .html { return .html }
    if type == nil || type == "text/plain" || label == nil, looksLikeHTML(body) { return .html }
    let isWide = body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF])
    if !isWide, body.prefix(1024).contains(0) {
      return .unsupported(type ?? "application/octet-stream")
    }
    return label ?? .text
  }

  private static func looksLikeHTML(_ body: [UInt8]) -> Bool {
    var start = body.prefix(1024)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    let text = String(decoding: start.drop { $0 <= 0x20 }.prefix(16), as: UTF8.self).lowercased()
    return ["<!doctype html", "<html", "<head", "<body"].contains { text.hasPrefix($0) }
  }

  private static func magic(of body: [UInt8]) -> String? {
    if body.dropFirst(4).starts(with: "ftyp".utf8) { return "video/mp4" }
    return signatures.first { body.starts(with: $0.bytes) }?.type
  }

  private static let textTypes: Set<String> = [
    "application/json", "application/xml", "application/javascript", "application/x-ndjson",
    "application/yaml", "application/x-yaml", "application/toml",
  ]

  private static let signatures: [(bytes: [UInt8], type: String)] = [
    (Array("%PDF-".utf8), "application/pdf"),
    ([0x50, 0x4B, 0x03, 0x04], "application/zip"),
    ([0x89, 0x50, 0x4E, 0x47], "image/png"),
    (Array("GIF8".utf8), "image/gif"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("RIFF".utf8), "application/riff"),
    ([0x1F, 0x8B], "application/gzip"),
    ([0x28, 0xB5, 0x2F, 0xFD], "application/zstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "application/x-xz"),
    (Array("OggS".utf8), "audio/ogg"),
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
    ([0x7F, 0x45, 0x4C, 0x46], "application/x-executable"),
    ([0x00, 0x61, 0x73, 0x6D], "application/wasm"),
  ]
}
