extension QRCode {
  /// The default margin, in modules, which suffices in practice; the standard requires 4.
  public static let margin = 2

  /// Returns the code for a terminal, with two modules, one above the other, in each cell.
  ///
  /// Each line sets black on bright white and resets the colours at its end, because most readers
  /// reject a code that is light on dark.
  ///
  /// - Parameter margin: The number of light modules around the code.
  /// - Returns: The lines, with escape sequences.
  public func blocks(margin: Int = margin) -> [String] {
    stride(from: -margin, to: side + margin, by: 2).map { row in
      let cells = (-margin..<side + margin).map { column in
        // If the number of rows is odd, the lower half of the last line belongs to the margin.
        switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
      }
      return "\u{1B}[30;107m" + cells.joined() + "\u{1B}[0m"
    }
  }

  /// Returns the code in ASCII, with two characters for each module: `##` for a dark one.
  ///
  /// - Parameter margin: The number of light modules around the code.
  /// - Returns: The lines.
  public func ascii(margin: Int = margin) -> [String] {
    (-margin..<side + margin).map { row in
      (-margin..<side + margin).map { isDark(column: $0, row: row) ? "##" : "  " }.joined()
    }
  }
}
