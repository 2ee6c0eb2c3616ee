/// A whole terminal that is drawn again and again: only what changed is written.
///
/// It lives on the alternate screen, so that what was there before comes back (xterm's 1049).
public struct Screen: Sendable {
  /// Takes the terminal: the alternate screen, no cursor, no line that goes on in the next.
  public static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// Gives it back.
  public static let end = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private var lines: [String] = []
  private var size: TerminalSize?

  /// A screen of which nothing is known.
  public init() {}

  /// What makes the screen show these lines; empty where it does.
  ///
  /// - Parameters:
  ///   - new: The lines, each no wider than the screen; those that have no room are left out.
  ///   - size: The screen's size.
  /// - Returns: What to write to the terminal.
  public mutating func drawn(_ new: [String], _ size: TerminalSize) -> String {
    var text = ""
    if size != self.size {
      // A terminal of another size may have moved everything.
      text = "\u{1B}[0m\u{1B}[2J"
      (lines, self.size) = ([], size)
    }
    let new = new.prefix(size.rows)
    for row in 0..<max(new.count, lines.count) {
      let line = row < new.count ? new[new.startIndex + row] : ""
      guard row >= lines.count || lines[row] != line else { continue }
      // Erased first: behind the last cell there is none to erase from.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
    }
    lines = Array(new)
    // Drawn at once, where the terminal can (mode 2026).
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }

  /// Forgets what is shown: the next time all is drawn.
  public mutating func forget() { size = nil }
}
