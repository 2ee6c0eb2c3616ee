/// A full-screen view that is redrawn often.
///
/// Only changed lines are written. It uses the terminal's alternate screen (1049 of xterm), so the
/// previous contents are restored at the end.
public struct Screen: Sendable {
  /// The sequence that switches to the alternate screen, hides the cursor and disables line wrap.
  public static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// The sequence that restores the previous screen, the cursor and line wrap.
  public static let end = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private var lines: [String] = []
  private var size: TerminalSize?

  /// Creates a view whose screen has unknown contents.
  public init() {}

  /// Returns the output that shows the given lines; empty if the screen already shows them.
  ///
  /// - Parameters:
  ///   - new: The lines. None may be wider than the screen. Lines beyond its height are dropped.
  ///   - size: The size of the screen.
  /// - Returns: The output for the terminal.
  public mutating func drawn(_ new: [String], _ size: TerminalSize) -> String {
    var text = ""
    if size != self.size {
      // A terminal may move everything on the screen if its size changes.
      text = "\u{1B}[0m\u{1B}[2J"
      (lines, self.size) = ([], size)
    }
    let new = new.prefix(size.rows)
    for row in 0..<max(new.count, lines.count) {
      let line = row < new.count ? new[new.startIndex + row] : ""
      guard row >= lines.count || lines[row] != line else { continue }
      // The line is erased before it is written, because nothing could be erased after its last
      // cell.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
    }
    lines = Array(new)
    // The output is a synchronized update, if the terminal supports that (mode 2026).
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }

  /// Marks the screen's contents as unknown.
  ///
  /// The next call redraws everything.
  public mutating func forget() { size = nil }
}
