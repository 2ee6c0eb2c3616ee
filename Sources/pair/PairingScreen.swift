import Display
import QR

/// What a person sees who pairs a device: the QR code, and what can be typed in its place.
///
/// The words stand beside the code where there is room, so that all of it is on the screen at once.
struct PairingScreen {
  /// The rows of the code, which may have escape codes.
  let code: [String]
  /// The cells of one of its rows.
  let width: Int
  /// What is to be read, a line each.
  let words: [String]

  /// So many cells are between the code and the words.
  private static let gap = 2

  /// The code in half blocks, or in characters of ASCII.
  init(_ code: QRCode, inASCII: Bool, words: [String]) {
    self.code = inASCII ? code.ascii() : code.blocks()
    width = (code.side + 2 * QRCode.margin) * (inASCII ? 2 : 1)
    self.words = words
  }

  /// What is to be read beside a code that is there.
  private var wordsBeside: [String] { ["scan this, or"] + words }

  /// What a terminal shows; one more row is left for what follows.
  ///
  /// - Parameter terminal: Its size.
  /// - Returns: The rows: without the code where it does not fit, which they say then.
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
    // The code last: it is still there when the words have gone from the screen.
    if terminal.columns >= width, terminal.rows > code.count { return words + code }
    let size = "The QR code takes \(width) columns and \(code.count + 1) rows;"
    return self.words + [""] + Cells.wrapped(size, to: terminal.columns) + [
      "--png writes a picture of it."
    ]
  }
}
