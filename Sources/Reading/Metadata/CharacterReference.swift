import Markdown

/// The character references of HTML, such as `&amp;` and `&#8217;`, in text that is not markup.
enum CharacterReference {
  /// Returns the given text with references resolved once and invisible characters removed.
  ///
  /// - Parameters:
  ///   - bytes: The text, in valid UTF-8.
  ///   - dropsTags: `true` to remove tags, too. Strings of linked data may contain HTML.
  /// - Returns: The text.
  static func resolved(_ bytes: ArraySlice<UInt8>, dropsTags: Bool) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "&"):
        // The rules for attributes apply, in which `&copy=1` is not a reference.
        if let found = MarkupReference(bytes[index...], isAttribute: true) {
          output.append(contentsOf: found.text)
          index += found.length
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
    // Characters removed from text that is not content are not counted.
    _ = output.removeInvisible(from: 0)
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the index after the tag at `start`; nil if the tag does not end within 256 bytes.
  private static func endOfTag(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
    guard start + 1 < bytes.endIndex,
      isLetter(bytes[start + 1]) || bytes[start + 1] == UInt8(ascii: "/")
    else { return nil }
    let limit = min(bytes.endIndex, start + 256)
    return bytes[start..<limit].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
  }
}
