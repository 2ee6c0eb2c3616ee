/// A full-screen view that is redrawn often: only changed lines are written.
///
/// It uses the alternate screen, so that the earlier contents come back (xterm's 1049).
public struct Screen: Sendable {
  /// The sequence that begins the view: alternate screen, hidden cursor, no line wrap.
  public static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// The sequence that restores the terminal.
  public static let end = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private var lines: [String] = []
  private var size: TerminalSize?

  /// Creates a view of a screen with unknown contents.
  public init() {}

  /// Returns the output that shows lines; empty if the screen already shows them.
  ///
  /// - Parameters:
  ///   - new: The lines, each at most as wide as the screen; lines beyond its height are dropped.
  ///   - size: The screen's size.
  /// - Returns: The output for the terminal.
  public mutating func drawn(_ new: [String], _ size: TerminalSize) -> String {
    var text = ""
    if size != self.size {
      // After a change of size, the terminal may have moved everything.
      text = "\u{1B}[0m\u{1B}[2J"
      (lines, self.size) = ([], size)
    }
    let new = new.prefix(size.rows)
    for row in 0..<max(new.count, lines.count) {
      let line = row < new.count ? new[new.startIndex + row] : ""
      guard row >= lines.count || lines[row] != line else { continue }
      // The line is erased first: after the last cell there is none to erase from.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
    }
    lines = Array(new)
    // A synchronized update, if the terminal supports it (mode 2026).
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }

  /// Forgets the screen's contents, so that everything is redrawn the next time.
  public mutating func forget() { size = nil }
}
