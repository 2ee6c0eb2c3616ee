/// The elements of a well-formed JSON array, each in its original bytes.
struct JSONElements: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var at = 1

  /// Creates a sequence from the text of the given array.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next element; nil after the last.
  mutating func next() -> ArraySlice<UInt8>? {
    let start = at
    var depth = 0
    var isText = false
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\\") where isText: at += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText,
        UInt8(ascii: ",") where !isText:
        if byte != UInt8(ascii: ",") { depth -= 1 }
        if depth < 0 || byte == UInt8(ascii: ",") && depth == 0 {
          defer { at += 1 }
          return at > start ? bytes[start..<at] : nil
        }
      default: break
      }
      at += 1
    }
    return nil
  }
}
