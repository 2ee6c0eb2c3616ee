import Display
import QR

/// The screen for pairing a device: the QR code, and the text that can be typed instead.
///
/// If there is room, the text stands beside the code, so that everything is visible at once.
struct PairingScreen {
  /// The rows of the code, which may have escape sequences.
  let code: [String]
  /// The cells of one of its rows.
  let width: Int
  /// The text, one line each.
  let words: [String]

  /// The cells between the code and the text.
  private static let gap = 2

  /// Creates the screen with the code in half blocks or in ASCII.
  init(_ code: QRCode, inASCII: Bool, words: [String]) {
    self.code = inASCII ? code.ascii() : code.blocks()
    width = (code.side + 2 * QRCode.margin) * (inASCII ? 2 : 1)
    self.words = words
  }

  /// The text beside a code.
  private var wordsBeside: [String] { ["scan this, or"] + words }

  /// Returns the rows for a terminal, with one row left for the next line.
  ///
  /// - Parameter terminal: Its size.
  /// - Returns: The rows; if the code does not fit, they say so instead.
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
    // The code comes last, so that it stays visible after the text has scrolled away.
    if terminal.columns >= width, terminal.rows > code.count { return words + code }
    let size = "The QR code takes \(width) columns and \(code.count + 1) rows;"
    return self.words + [""] + Cells.wrapped(size, to: terminal.columns) + [
      "--png writes a picture of it."
    ]
  }
}
