import CXML2

/// HTML's character references, such as `&amp;` and `&#8217;`, in text that is no markup.
enum CharacterReference {
  /// The text with its references resolved once and invisible characters taken out.
  ///
  /// - Parameters:
  ///   - bytes: Valid UTF-8.
  ///   - dropsTags: Whether tags are taken out too, which a string of linked data may hold.
  /// - Returns: The text.
  static func resolved(_ bytes: [UInt8], dropsTags: Bool) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "&"):
        if let (scalar, end) = reference(bytes, index) {
          output.append(contentsOf: Character(scalar).utf8)
          index = end
          continue
        }
      case UInt8(ascii: "<") where dropsTags:
        if let end = endOfTag(bytes, index) {
          output.append(0x20)
          index = end
          continue
        }
      default: break
      }
      output.append(bytes[index])
      index += 1
    }
    var cleaned: [UInt8] = []
    _ = output.withUnsafeBufferPointer { appendCleaned($0, to: &cleaned) }
    return String(decoding: cleaned, as: UTF8.self)
  }

  private static func reference(
    _ bytes: [UInt8], _ start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    // The longest name that libxml2 knows has 8 letters.
    let limit = min(bytes.count, start + 12)
    guard let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")), end > start + 1 else {
      return nil
    }
    let name = bytes[(start + 1)..<end]
    var code: UInt32?
    if name.first == UInt8(ascii: "#") {
      let digits = String(decoding: name.dropFirst(), as: UTF8.self)
      let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
      code = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    } else if name.allSatisfy({ isLetter($0) || isDigit($0) }) {
      code = (Array(name) + [0]).withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { htmlEntityLookup($0) }?.pointee.value
      }
      if name.elementsEqual("apos".utf8) { code = 0x27 }
    }
    guard let code, code > 0, let scalar = Unicode.Scalar(code) else { return nil }
    return (scalar, end + 1)
  }

  /// Where a tag ends that begins at an index, or nil when none does within reach.
  private static func endOfTag(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 1 < bytes.count,
      isLetter(bytes[start + 1]) || bytes[start + 1] == UInt8(ascii: "/")
    else { return nil }
    let limit = min(bytes.count, start + 256)
    return bytes[start..<limit].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
  }
}
