extension QRCode {
  /// The default margin in modules.
  ///
  /// The standard requires 4, but 2 suffice in practice.
  public static let margin = 2

  /// Returns the code for a terminal.
  ///
  /// Each cell shows two modules, one above the other.
  ///
  /// The code is black on bright white, because most readers reject a light code on a dark ground.
  /// Each line resets the colours at its end.
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

  /// Returns the code in ASCII, with two characters for each module.
  ///
  /// A dark module is `##`, and a light one is two spaces.
  ///
  /// - Parameter margin: The number of light modules around the code.
  /// - Returns: The lines.
  public func ascii(margin: Int = margin) -> [String] {
    (-margin..<side + margin).map { row in
      (-margin..<side + margin).map { isDark(column: $0, row: row) ? "##" : "  " }.joined()
    }
  }
}
