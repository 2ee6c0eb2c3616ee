/// The search for an index at which a block of Markdown can be cut.
enum MarkdownCut {
  /// Returns the last index up to `end` at which no link, table row or fence is open.
  ///
  /// - Parameters:
  ///   - bytes: The Markdown, which ``MarkdownRenderer`` wrote.
  ///   - start: The start of the search. It must be outside of links and fences.
  ///   - end: The last allowed index.
  /// - Returns: The index; nil if a link or a table row is longer than the allowed range.
  static func end(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int? {
    var best: Int?
    /// The last line end inside the open fence. It is used if the fence is longer than the limit.
    var fenceLine: Int?
    var fence = 0
    var line = start
    while line < end {
      let stop = bytes[line...].firstIndex(of: 0x0A) ?? bytes.count
      let body = content(bytes[line..<stop])
      let run = body.prefix { $0 == UInt8(ascii: "`") }.count
      if fence > 0 {
        if run >= fence, body.count == run { fence = 0 }
      } else if run >= 3 {
        fence = run
      } else if body.first != UInt8(ascii: "|") {
        best = wordEnd(in: bytes, from: line, upTo: min(stop, end)) ?? best
      }
      if stop <= end, stop > start {
        if fence == 0 { best = stop } else { fenceLine = stop }
      }
      line = stop + 1
    }
    return best ?? fenceLine
  }

  /// Returns the given line without quote marks and the indentation of list items.
  private static func content(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
  }

  /// Returns the index of the last white space from `start` to `end` that is outside of links.
  private static func wordEnd(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int? {
    var found: Int?
    var open = 0
    var index = start
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): open += 1
      case UInt8(ascii: "]") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "("):
        // Text past the end is not examined, because otherwise each line would be read to the end
        // of the text.
        guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ")")) else {
          return found
        }
        open = max(0, open - 1)
        index = close
      case UInt8(ascii: "]"): open = max(0, open - 1)
      case let byte where isSpace(byte) && open == 0 && index > start: found = index
      default: break
      }
      index += 1
    }
    return found
  }
}
