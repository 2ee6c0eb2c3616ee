extension Cells {
  /// Returns the given text in lines of at most `width` cells, broken at spaces.
  ///
  /// A word that is wider than a line is split.
  ///
  /// - Parameters:
  ///   - text: The text, without line ends.
  ///   - width: The maximum number of cells of a line, at least 1.
  /// - Returns: The lines, without spaces at their ends. An empty text gives one empty line.
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
      var parts = size > width ? broken(rest, to: width)[...] : []
      if let last = parts.popLast() {
        lines += parts
        (rest, size) = (last, self.width(last))
      }
      (line, used) = (rest, size)
    }
    if used > 0 || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Splits the given word into parts of at most `width` cells.
  ///
  /// A character that is wider than `width` forms its own part.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - width: The maximum number of cells of a part, at least 1.
  ///   - first: The maximum number of cells of the first part; nil for `width`.
  /// - Returns: The parts. The first part is empty if no character fits into it.
  static func broken(_ word: String, to width: Int, first: Int? = nil) -> [String] {
    var parts: [String] = []
    var part = ""
    var room = first ?? width
    for character in word {
      let cells = self.width(character)
      if cells > room, !part.isEmpty || (first != nil && parts.isEmpty) {
        parts.append(part)
        (part, room) = ("", width)
      }
      part.append(character)
      room -= cells
    }
    parts.append(part)
    return parts
  }
}
