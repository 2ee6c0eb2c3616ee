import Display
import QR

/// The screen for pairing a device.
///
/// It shows a QR code, and a text that can be typed instead. If there is room, the text is beside
/// the code, so that everything is visible at once.
struct PairingScreen {
  /// The rows of the code, which may contain escape sequences.
  let code: [String]
  /// The width of a row of the code, in cells.
  let width: Int
  /// The lines of the text that can be typed.
  let words: [String]
  /// The sentence for a terminal that is too small for the code.
  let hint: String

  /// The number of cells between the code and the text.
  private static let gap = 2

  /// Creates the screen with the given code, drawn in half blocks or in ASCII.
  init(
    _ code: QRCode, inASCII: Bool, words: [String], hint: String = "--png writes a picture of it."
  ) {
    self.code = inASCII ? code.ascii() : code.blocks()
    width = (code.side + 2 * QRCode.margin) * (inASCII ? 2 : 1)
    (self.words, self.hint) = (words, hint)
  }

  /// The lines that are shown beside the code.
  private var wordsBeside: [String] { ["scan this, or"] + words }

  /// Returns the rows for the given terminal.
  ///
  /// One row is left free for the following line.
  ///
  /// - Parameter terminal: The size of the terminal.
  /// - Returns: The rows. If the code does not fit, they report that instead.
  func rows(in terminal: TerminalSize) -> [String] {
    let words = wordsBeside
    let longest = words.map(\.count).max() ?? 0
    if terminal.columns >= width + Self.gap + longest, terminal.rows > max(code.count, words.count)
    {
      let rest = [String](repeating: "", count: max(0, code.count - words.count))
      let above = rest.count / 2
      let beside = rest.prefix(above) + words + rest.dropFirst(above)
      return zip(code, beside).map { row, words in
        words.isEmpty ? row : row + String(repeating: " ", count: Self.gap) + words
      }
    }
    // The code comes last, so that it stays visible if the text scrolls away.
    if terminal.columns >= width, terminal.rows > code.count { return words + code }
    let size = "The QR code takes \(width) columns and \(code.count + 1) rows;"
    return self.words + [""] + Cells.wrapped(size, to: terminal.columns) + [
      hint
    ]
  }
}
