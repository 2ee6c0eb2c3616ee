import Markdown

/// Text in UTF-8 that was decoded from bytes of unknown encoding.
struct DecodedText {
  /// The text as valid UTF-8.
  ///
  /// Each invalid sequence was replaced by U+FFFD.
  var bytes: [UInt8]
  /// The WHATWG name of the encoding that was used.
  var charset: String
}

/// Detects the encoding and decodes the bytes.
///
/// The sources of the encoding are tried in this order: the byte order mark, the HTTP header, the
/// XML declaration, `<meta>`, a guess from the bytes, windows-1252.
///
/// - Parameters:
///   - bytes: The bytes to decode.
///   - contentType: The value of the `Content-Type` header, which may contain a `charset`.
///   - isHTML: `true` if a `<meta>` may declare the encoding.
/// - Returns: The text and the encoding that was used.
func decodeText(_ bytes: [UInt8], contentType: String?, isHTML: Bool) -> DecodedText {
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
    return decode(Array(bytes.dropFirst(3)), as: .utf8)
  }
  if bytes.starts(with: [0xFF, 0xFE]) { return decode(Array(bytes.dropFirst(2)), as: .utf16le) }
  if bytes.starts(with: [0xFE, 0xFF]) { return decode(Array(bytes.dropFirst(2)), as: .utf16be) }
  let declared =
    contentType.flatMap(charsetParameter(of:)) ?? xmlDeclaration(of: bytes)
    ?? (isHTML ? MetaPrescan.encoding(of: bytes) : nil)
  if let declared { return decode(bytes, as: declared) }
  if let wide = wideEncoding(of: bytes) { return decode(bytes, as: wide) }
  if bytes.contains(0x1B), bytes[...].firstOffset(of: [0x1B, 0x24, 0x42]) != nil {
    return decode(bytes, as: EncodingLabel(label: "iso-2022-jp".utf8) ?? .utf8)
  }
  guard !isValidUTF8(bytes[...]) else { return DecodedText(bytes: bytes, charset: "utf-8") }
  // A UTF-8 page that was cut inside a character is still UTF-8.
  let whole = bytes.prefix(max(0, bytes.count - 3))
  if bytes.count > 64,
    isValidUTF8(whole) || isValidUTF8(whole.dropLast()) || isValidUTF8(whole.dropLast(2))
  {
    return decode(bytes, as: .utf8)
  }
  return decode(bytes, as: EncodingGuess.encoding(of: bytes) ?? .windows1252)
}

/// Returns the encoding that an XML declaration at the start of the given bytes names.
private func xmlDeclaration(of bytes: [UInt8]) -> EncodingLabel? {
  guard bytes.starts(with: "<?xml".utf8) else { return nil }
  let text = String(decoding: bytes.prefix(256).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
  guard let name = text.firstRange(of: "encoding") else { return nil }
  let value = text[name.upperBound...].drop { $0 == " " || $0 == "=" }
  guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
  let label = EncodingLabel(label: value.dropFirst().prefix { $0 != quote }.utf8)
  // The declaration was readable as ASCII, so the encoding cannot be UTF-16.
  return label.map { $0.name.hasPrefix("utf-16") ? .utf8 : $0 }
}

/// Returns UTF-16 if the given bytes begin with a `<` and a NUL, in either order; otherwise nil.
///
/// This is how markup in UTF-16 without a byte order mark begins.
private func wideEncoding(of bytes: [UInt8]) -> EncodingLabel? {
  if bytes.starts(with: [0x3C, 0x00]), bytes.dropFirst(3).first == 0 { return .utf16le }
  if bytes.starts(with: [0x00, 0x3C, 0x00]) { return .utf16be }
  return nil
}

/// Returns the given bytes, decoded from the given encoding.
func decodedText(_ bytes: [UInt8], as encoding: EncodingLabel) -> String {
  String(decoding: decode(bytes, as: encoding).bytes, as: UTF8.self)
}

private func decode(_ bytes: [UInt8], as encoding: EncodingLabel) -> DecodedText {
  switch encoding {
  case .utf8:
    return DecodedText(bytes: repaired(bytes), charset: encoding.name)
  case .utf16le, .utf16be:
    let isLittle = encoding == .utf16le
    let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { at in
      let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    let text = String(decoding: units, as: UTF16.self)
    return DecodedText(bytes: Array(text.utf8), charset: encoding.name)
  case .windows1252:
    return DecodedText(bytes: windows1252(bytes), charset: encoding.name)
  default:
    guard let iconv = Iconv(from: encoding.iconv) else {
      return DecodedText(bytes: windows1252(bytes), charset: EncodingLabel.windows1252.name)
    }
    // The output of iconv may still contain invalid sequences, so it is repaired as well.
    return DecodedText(bytes: repaired(iconv.convert(bytes)), charset: encoding.name)
  }
}

private func repaired(_ bytes: [UInt8]) -> [UInt8] {
  guard !isValidUTF8(bytes[...]) else { return bytes }
  return Array(String(decoding: bytes, as: UTF8.self).utf8)
}

private func windows1252(_ bytes: [UInt8]) -> [UInt8] {
  var output: [UInt8] = []
  output.reserveCapacity(bytes.count + bytes.count / 8)
  for byte in bytes {
    if byte < 0x80 {
      output.append(byte)
    } else if byte < 0xA0 {
      output.append(contentsOf: windows1252Scalar(byte).utf8)
    } else {
      output.append(0xC0 | byte >> 6)
      output.append(0x80 | byte & 0x3F)
    }
  }
  return output
}
