import Terminals

/// A cell of a screen: a character with its combining marks, one or two columns wide.
struct ScreenCell: Hashable {
  var text: String
  var columns: Int
  var style: CellStyle
  /// `true` if a terminal may draw the cell with a different width than tmux.
  var isDoubtful: Bool { columns > 1 || text.unicodeScalars.count > 1 }
}

/// A parser of a captured screen's lines into cells.
///
/// The style continues from line to line.
///
/// Only printable characters and SGR sequences are used. Everything else is dropped, such as links
/// and characters that reorder text.
struct ScreenPen {
  private(set) var style = CellStyle()
  /// `true` if letters currently stand for line drawing characters.
  private var isDrawing = false
  /// `true` if several code points are joined into one emoji, as in tmux 3.4 and later.
  let joinsEmoji: Bool
  /// The maximum number of bytes in a cell.
  ///
  /// tmux itself allows fewer.
  private static let longestCell = 64

  init(joinsEmoji: Bool) { self.joinsEmoji = joinsEmoji }

  /// Returns the cells of the given line, up to the column `limit`.
  ///
  /// - Parameters:
  ///   - line: The next line's bytes.
  ///   - limit: The column at which the cells end; 0 to update only the style.
  /// - Returns: The cells.
  mutating func cells(_ line: ArraySlice<UInt8>, before limit: Int) -> [ScreenCell] {
    // A line without escape sequences leaves the style unchanged.
    if limit == 0, !line.contains(where: { $0 == 0x1B || $0 == 0x0E || $0 == 0x0F }) { return [] }
    var cells: [ScreenCell] = []
    var column = 0
    var isFull = limit == 0
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
    var at = scalars.startIndex
    while at < scalars.endIndex {
      let scalar = scalars[at]
      at = scalars.index(after: at)
      switch scalar {
      case "\u{1B}": obey(scalars, &at)
      case "\u{0E}": isDrawing = true
      case "\u{0F}": isDrawing = false
      // Combining marks after the last character still belong to that character.
      default: if !isFull { isFull = !add(scalar, to: &cells, &column, before: limit) }
      }
    }
    return cells
  }

  /// Adds the given character, or adds a combining mark to the previous character.
  ///
  /// - Returns: `false` if the limit was reached.
  private func add(
    _ scalar: Unicode.Scalar, to cells: inout [ScreenCell], _ column: inout Int, before limit: Int
  ) -> Bool {
    guard let columns = CharacterWidth.columns(of: scalar) else { return true }
    let isJoiner = scalar == "\u{200D}"
    if scalar.isASCII {
      // Most characters are ASCII.
    } else if Self.isHidden(scalar) {
      return columns == 0 || append(" ", columns: columns, to: &cells, &column, before: limit)
    }
    let last = cells.last?.text.unicodeScalars.last
    let isModifier = joinsEmoji && (0x1F3FB...0x1F3FF).contains(scalar.value)
    let follows =
      columns == 0 || isJoiner || last == "\u{200D}" && !(joinsEmoji && scalar.isASCII)
      || isModifier && last.map { !$0.isASCII } ?? false
    guard follows else {
      let shown = isDrawing ? LineDrawing.character(scalar) : scalar
      return append(shown, columns: columns, to: &cells, &column, before: limit)
    }
    guard !cells.isEmpty else { return true }
    let index = cells.count - 1
    if cells[index].text.utf8.count < Self.longestCell {
      cells[index].text.unicodeScalars.append(scalar)
    }
    if isModifier || joinsEmoji && scalar == "\u{FE0F}", cells[index].columns == 1 {
      cells[index].columns = 2
      column += 1
    }
    return true
  }

  private func append(
    _ scalar: Unicode.Scalar, columns: Int, to cells: inout [ScreenCell], _ column: inout Int,
    before limit: Int
  ) -> Bool {
    guard column < limit else { return false }
    cells.append(ScreenCell(text: String(scalar), columns: columns, style: style))
    column += columns
    return true
  }

  /// Returns `true` for a character that would reorder or hide other characters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar.value != 0x200C && scalar.value != 0x200D && scalar.value != 0xAD
    default: false
    }
  }

  /// Reads an escape sequence: applies SGR and skips any other.
  private mutating func obey(
    _ scalars: String.UnicodeScalarView, _ at: inout String.UnicodeScalarView.Index
  ) {
    guard let kind = Self.next(scalars, &at) else { return }
    switch kind {
    case "[":
      var parameters = ""
      while let scalar = Self.next(scalars, &at) {
        guard (0x40...0x7E).contains(scalar.value) else {
          if parameters.utf8.count < 256 { parameters.unicodeScalars.append(scalar) }
          continue
        }
        if scalar == "m", let values = Self.values(parameters) { style.apply(values) }
        return
      }
    case "]", "P", "X", "^", "_":
      // A control string ends with BEL, or with ESC and a backslash.
      while let scalar = Self.next(scalars, &at), scalar != "\u{7}" {
        if scalar == "\u{1B}" {
          _ = Self.next(scalars, &at)
          return
        }
      }
    case _ where (0x20...0x2F).contains(kind.value):
      _ = Self.next(scalars, &at)
    default: break
    }
  }

  private static func next(
    _ scalars: String.UnicodeScalarView, _ at: inout String.UnicodeScalarView.Index
  ) -> Unicode.Scalar? {
    guard at < scalars.endIndex else { return nil }
    defer { at = scalars.index(after: at) }
    return scalars[at]
  }

  /// Returns the parameters of the given control sequence; nil if the sequence is private.
  ///
  /// Each parameter is a list of values that colons separate.
  private static func values(_ text: String) -> [[Int]]? {
    guard text.utf8.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
    return text.split(separator: ";", omittingEmptySubsequences: false).map { parameter in
      parameter.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    }
  }
}
