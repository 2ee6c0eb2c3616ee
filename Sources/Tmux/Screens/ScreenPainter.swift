import Core

/// A painter of captured screens on a terminal of another size: the part around the cursor.
///
/// A painter has no side effects: it turns screens into bytes for the terminal. Whatever a screen
/// holds, the bytes are printable characters, SGR, and a few sequences that position them.
public struct ScreenPainter: Sendable {
  /// The columns of the terminal.
  public private(set) var columns: Int
  /// The lines of the terminal.
  public private(set) var lines: Int
  /// The column of the screen at the terminal's first column.
  public private(set) var originX = 0
  /// The line of the screen at the terminal's first line.
  public private(set) var originY = 0

  /// The contents of each line; nil before the first painting.
  private var shown: [String]?
  /// The sequence of the cursor's position and visibility.
  private var cursor: String?

  private static let blankLine = "\u{1B}[K"

  /// Creates a painter for a terminal.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }

  /// Sets a new size of the terminal, and repaints all of it the next time.
  public mutating func resize(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
    forget()
  }

  /// Forgets what the terminal shows, and repaints all of it the next time.
  public mutating func forget() {
    shown = nil
    cursor = nil
  }

  /// Returns the bytes that make the terminal show a screen; empty if it already does.
  public mutating func paint(_ screen: TmuxScreen) -> [UInt8] {
    follow(screen)
    let wanted = rendered(screen)
    var text = ""
    var before = shown
    if before == nil {
      text += "\u{1B}[0m\u{1B}[2J"
      before = Array(repeating: Self.blankLine, count: lines)
    }
    for (index, line) in wanted.enumerated() where line != before?[index] {
      text += "\u{1B}[\(index + 1);1H" + line
    }
    let place =
      "\u{1B}[\(screen.cursorY - originY + 1);\(screen.cursorX - originX + 1)H"
      + (screen.isCursorVisible ? "\u{1B}[?25h" : "")
    guard !text.isEmpty || place != cursor else { return [] }
    shown = wanted
    cursor = place
    return Array(("\u{1B}[?25l" + text + place).utf8)
  }

  /// Moves the visible part to the cursor, if the cursor is outside.
  ///
  /// Vertically it moves as little as possible; horizontally it centres the cursor, since typing
  /// continues there.
  private mutating func follow(_ screen: TmuxScreen) {
    if !(originX..<(originX + columns)).contains(screen.cursorX) {
      originX = screen.cursorX - columns / 2
    }
    if screen.cursorY < originY { originY = screen.cursorY }
    if screen.cursorY >= originY + lines { originY = screen.cursorY - lines + 1 }
    originX = max(0, min(originX, screen.width - columns))
    originY = max(0, min(originY, screen.height - lines))
  }

  /// Returns the contents of each terminal line, which begin in the first column with the default
  /// style.
  private func rendered(_ screen: TmuxScreen) -> [String] {
    var pen = ScreenPen(joinsEmoji: screen.joinsEmoji)
    var rendered: [String] = []
    let first = screen.historyLines + originY
    for (index, line) in screen.lines.enumerated() {
      guard index < first + lines else { break }
      let isSeen = index >= first
      let cells = pen.cells(line, before: isSeen ? min(screen.width, originX + columns) : 0)
      if isSeen { rendered.append(self.line(cells)) }
    }
    return rendered + Array(repeating: Self.blankLine, count: max(0, lines - rendered.count))
  }

  /// Returns one line of the terminal.
  private func line(_ cells: [ScreenCell]) -> String {
    let cropped = cropped(cells)
    var text = ""
    var style = CellStyle()
    var column = 0
    for cell in cropped {
      if cell.style != style {
        text += cell.style.sequence
        style = cell.style
      }
      text += cell.text
      column += cell.columns
      // The next columns are then right even if the terminal draws this cell in another width.
      if cell.isDoubtful, column < columns { text += "\u{1B}[\(column + 1)G" }
    }
    if style != CellStyle() { text += CellStyle().sequence }
    return column < columns ? text + Self.blankLine : text
  }

  /// Returns the visible cells; a wide cell that is cut becomes a blank.
  private func cropped(_ cells: [ScreenCell]) -> [ScreenCell] {
    var cropped: [ScreenCell] = []
    var column = 0
    let end = originX + columns
    for cell in cells {
      let after = column + cell.columns
      defer { column = after }
      guard after > originX, column < end else { continue }
      if column < originX || after > end {
        cropped.append(ScreenCell(text: " ", columns: 1, style: cell.style))
      } else {
        cropped.append(cell)
      }
    }
    let blank = ScreenCell(text: " ", columns: 1, style: CellStyle())
    while cropped.last == blank { cropped.removeLast() }
    return cropped
  }
}
