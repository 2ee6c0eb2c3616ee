/// A scanner for the encoding that a `<meta>` element in the first 1,024 bytes declares.
///
/// It follows "prescan a byte stream to determine its encoding" in the WHATWG HTML Standard.
struct MetaPrescan {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  static func encoding(of bytes: [UInt8]) -> EncodingLabel? {
    var scan = MetaPrescan(bytes: bytes.prefix(1024))
    guard let label = scan.label() else { return nil }
    // The bytes up to here were readable as ASCII, so the encoding cannot be UTF-16.
    return label.name.hasPrefix("utf-16") ? .utf8 : label
  }

  private init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private mutating func label() -> EncodingLabel? {
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      if bytes[index...].starts(with: "!--".utf8) {
        guard let end = find("-->", from: index + 1) else { return nil }
        index = end + 3
      } else if isTag("meta") {
        index += 5
        if let label = metaLabel() { return label }
      } else {
        skipTag()
      }
    }
    return nil
  }

  private func isTag(_ name: StaticString) -> Bool {
    let after = index + name.utf8CodeUnitCount
    guard after < bytes.endIndex else { return false }
    return bytes[index...].starts(withLowercase: name)
      && (isSpace(bytes[after]) || bytes[after] == UInt8(ascii: "/"))
  }

  private mutating func skipTag() {
    guard index < bytes.endIndex else { return }
    guard isLetter(bytes[index]) || bytes[index] == UInt8(ascii: "/") else {
      if bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "?") {
        index = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
      }
      return
    }
    while index < bytes.endIndex, !isSpace(bytes[index]), bytes[index] != UInt8(ascii: ">") {
      index += 1
    }
    while attribute() != nil {}
  }

  private mutating func metaLabel() -> EncodingLabel? {
    var isPragma = false
    var charset: EncodingLabel?
    var content: EncodingLabel?
    while let (name, value) = attribute() {
      switch name {
      case "charset": charset = charset ?? EncodingLabel(label: value.utf8)
      case "http-equiv": isPragma = value.lowercased() == "content-type"
      case "content": content = content ?? charsetParameter(of: value)
      default: break
      }
    }
    return charset ?? (isPragma ? content : nil)
  }

  /// Returns the next attribute of the current tag; nil at the end of the tag.
  private mutating func attribute() -> (name: String, value: String)? {
    while index < bytes.endIndex, isSpace(bytes[index]) || bytes[index] == UInt8(ascii: "/") {
      index += 1
    }
    guard index < bytes.endIndex, bytes[index] != UInt8(ascii: ">") else { return nil }
    let start = index
    index += 1
    while index < bytes.endIndex, !isSpace(bytes[index]), !Self.endsName.contains(bytes[index]) {
      index += 1
    }
    let name = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    skipSpace()
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "=") else { return (name, "") }
    index += 1
    skipSpace()
    return (name, value())
  }

  private mutating func value() -> String {
    guard index < bytes.endIndex else { return "" }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = index + 1
      let end = bytes[start...].firstIndex(of: quote) ?? bytes.endIndex
      index = min(end + 1, bytes.endIndex)
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    let start = index
    while index < bytes.endIndex, !isSpace(bytes[index]), bytes[index] != UInt8(ascii: ">") {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while index < bytes.endIndex, isSpace(bytes[index]) { index += 1 }
  }

  private func find(_ text: String, from start: Int) -> Int? {
    var at = start
    while at + text.utf8.count <= bytes.endIndex {
      if bytes[at...].starts(with: text.utf8) { return at }
      at += 1
    }
    return nil
  }

  private static let endsName = ByteSet("/>=")
}

/// Returns the encoding in the `charset` parameter of the given content type.
///
/// The value may be quoted.
func charsetParameter(of contentType: String) -> EncodingLabel? {
  let lower = contentType.prefix(1024).lowercased()
  var rest = lower[...]
  while let key = rest.firstRange(of: "charset") {
    rest = rest[key.upperBound...].drop(while: \.isWhitespace)
    guard rest.first == "=" else { continue }
    let value = rest.dropFirst().drop(while: \.isWhitespace)
    if let quote = value.first, quote == "\"" || quote == "'" {
      return EncodingLabel(label: value.dropFirst().prefix { $0 != quote }.utf8)
    }
    return EncodingLabel(label: value.prefix { $0 != ";" && !$0.isWhitespace }.utf8)
  }
  return nil
}
