import Core

/// Paints captured screens on a terminal of another size: the part of them where the cursor is.
///
/// Pure: screens in, bytes for the terminal out. Whatever a screen holds, the bytes are characters that
/// are shown, SGR, and the few sequences below that place them.
public struct ScreenPainter: Sendable {
  /// The columns of the terminal that is painted on.
  public private(set) var columns: Int
  /// Its lines.
  public private(set) var lines: Int
  /// The column of the screen that the terminal's first one shows.
  public private(set) var originX = 0
  /// The line of the screen that the terminal's first one shows.
  public private(set) var originY = 0

  /// What each line shows; nothing before the first painting.
  private var shown: [String]?
  /// Where the cursor is, and whether it is seen.
  private var cursor: String?

  private static let blankLine = "\u{1B}[K"

  /// Creates a painter for a terminal.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }

  /// Takes a new size of the terminal: all of it is painted the next time.
  public mutating func resize(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
    forget()
  }

  /// Takes nothing for granted that the terminal shows: all of it is painted the next time.
  public mutating func forget() {
    shown = nil
    cursor = nil
  }

  /// The bytes that make the terminal show a screen; none when it does already.
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

  /// Moves what is seen of the screen to where the cursor is, if it is not there.
  ///
  /// Up and down as little as it takes; aside so that the cursor is in the middle, for the writing goes
  /// on there.
  private mutating func follow(_ screen: TmuxScreen) {
    if !(originX..<(originX + columns)).contains(screen.cursorX) {
      originX = screen.cursorX - columns / 2
    }
    if screen.cursorY < originY { originY = screen.cursorY }
    if screen.cursorY >= originY + lines { originY = screen.cursorY - lines + 1 }
    originX = max(0, min(originX, screen.width - columns))
    originY = max(0, min(originY, screen.height - lines))
  }

  /// What each of the terminal's lines is to show, from its first column on and from no look at all.
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

  /// One line of the terminal.
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
      // Then the columns after it are right, whatever the terminal thinks of its width.
      if cell.isDoubtful, column < columns { text += "\u{1B}[\(column + 1)G" }
    }
    if style != CellStyle() { text += CellStyle().sequence }
    return column < columns ? text + Self.blankLine : text
  }

  /// The cells that are seen: of a wide one that is cut, a blank.
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
