extension Cells {
  /// The text in lines that are no wider, broken at spaces; a word that is wider is broken itself.
  ///
  /// - Parameters:
  ///   - text: Text on one line.
  ///   - width: The cells of a line, at least 1.
  /// - Returns: The lines without spaces at their ends; one that is empty for no text.
  public static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var rest = String(word)
      var size = self.width(rest)
      if used > 0, used + 1 + size <= width {
        line += " " + rest
        used += 1 + size
        continue
      }
      if used > 0 { lines.append(line) }
      while size > width {
        var start = prefix(rest, width)
        // A character that is wider than the line has a line of its own.
        if start.isEmpty { start = rest.prefix(1) }
        lines.append(String(start))
        rest.removeFirst(start.count)
        size = self.width(rest)
      }
      (line, used) = (rest, size)
    }
    if used > 0 || lines.isEmpty { lines.append(line) }
    return lines
  }
}
