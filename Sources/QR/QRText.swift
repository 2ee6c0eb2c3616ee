extension QRCode {
  /// The margin that readers need in practice, in modules; the standard's is 4.
  public static let margin = 2

  /// The code as text for a terminal: half blocks, two modules above each other in a cell.
  ///
  /// Each line sets black on bright white and gives the colours back, since most readers take no code
  /// that is light on dark.
  ///
  /// - Parameter margin: How many light modules there are around it.
  /// - Returns: Its lines, with escape codes.
  public func blocks(margin: Int = margin) -> [String] {
    stride(from: -margin, to: side + margin, by: 2).map { row in
      let cells = (-margin..<side + margin).map { column in
        // Below the last line of an odd number there is margin.
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

  /// The code in characters of ASCII: two for each module, `##` for a dark one.
  ///
  /// - Parameter margin: How many light modules there are around it.
  /// - Returns: Its lines.
  public func ascii(margin: Int = margin) -> [String] {
    (-margin..<side + margin).map { row in
      (-margin..<side + margin).map { isDark(column: $0, row: row) ? "##" : "  " }.joined()
    }
  }
}
