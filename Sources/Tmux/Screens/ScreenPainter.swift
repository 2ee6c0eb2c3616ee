import Core

/// A painter that shows a captured screen on a terminal of another size.
///
/// It shows the part of the screen around the cursor. The painter has no side effects: it returns
/// the bytes for the terminal. These are only printable characters, SGR and a few positioning
/// sequences, whatever the screen contains.
public struct ScreenPainter: Sendable {
  /// The number of columns of the terminal.
  public private(set) var columns: Int
  /// The number of lines of the terminal.
  public private(set) var lines: Int
  /// The first column of the screen that is visible on the terminal.
  public private(set) var originX = 0
  /// The first line of the screen that is visible on the terminal.
  public private(set) var originY = 0

  /// The contents that each terminal line currently shows; nil before the first painting.
  private var shown: [String]?
  /// The sequence that last set the cursor's position and visibility.
  private var cursor: String?

  private static let blankLine = "\u{1B}[K"

  /// Creates a painter for a terminal of the given size.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }

  /// Sets the new size of the terminal.
  ///
  /// The next painting repaints everything.
  public mutating func resize(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
    forget()
  }

  /// Forgets the contents of the terminal.
  ///
  /// The next painting repaints everything.
  public mutating func forget() {
    shown = nil
    cursor = nil
  }

  /// Returns the bytes that make the terminal show the given screen; empty if it already does.
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

  /// Moves the visible part of the screen so that it contains the cursor.
  ///
  /// Vertically, it moves as little as possible. Horizontally, it centres the cursor, because
  /// typing continues there.
  private mutating func follow(_ screen: TmuxScreen) {
    if !(originX..<(originX + columns)).contains(screen.cursorX) {
      originX = screen.cursorX - columns / 2
    }
    if screen.cursorY < originY { originY = screen.cursorY }
    if screen.cursorY >= originY + lines { originY = screen.cursorY - lines + 1 }
    originX = max(0, min(originX, screen.width - columns))
    originY = max(0, min(originY, screen.height - lines))
  }

  /// Returns the new contents of each terminal line.
  ///
  /// Each line begins with the default style.
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

  /// Returns the contents of a terminal line that shows the given cells.
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
      // A terminal may draw this cell in another width, so the next column is set explicitly.
      if cell.isDoubtful, column < columns { text += "\u{1B}[\(column + 1)G" }
    }
    if style != CellStyle() { text += CellStyle().sequence }
    return column < columns ? text + Self.blankLine : text
  }

  /// Returns the visible part of the given cells.
  ///
  /// A wide cell that is cut becomes a blank.
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
