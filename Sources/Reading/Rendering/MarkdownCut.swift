/// Finds where Markdown can be cut within a block.
enum MarkdownCut {
  /// The last place at or before an end where no link, no row of a table and no fence is open.
  ///
  /// - Parameters:
  ///   - bytes: Markdown as ``MarkdownRenderer`` writes it.
  ///   - start: A place that is in no link and no fence.
  ///   - end: The last place that is allowed.
  /// - Returns: The place; nil when a link or a row is longer than all that may be kept.
  static func end(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int? {
    var best: Int?
    /// The last end of a line within an open fence, for a fence that is longer than the limit.
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

  /// A line without the marks of the quotes and items it stands in.
  private static func content(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
  }

  /// The last white space of a line that is in no link.
  private static func wordEnd(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int? {
    var found: Int?
    var open = 0
    var index = start
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): open += 1
      case UInt8(ascii: "]") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "("):
        // What lies behind the end is not looked at: each line would be read to the end of the text.
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
