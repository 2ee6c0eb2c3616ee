/// The line at the bottom of a view, which names the keys that leave it.
struct ViewBar {
  /// The keys that end a view without input: Ctrl-], and q.
  private static let leavingKeys: Set<UInt8> = [0x1D, UInt8(ascii: "q")]

  private let text: String

  /// Creates the line.
  ///
  /// - Parameter takesInput: `true` if typed keys are sent to the session.
  init(takesInput: Bool) {
    text = takesInput ? " keys are sent, Ctrl-] leaves " : " read-only, Ctrl-] or q leaves "
  }

  /// Returns `true` if the user typed a key that ends a view without input.
  ///
  /// A part of a sequence, such as that of an arrow, is no such key.
  static func isLeft(by typed: some Collection<UInt8>) -> Bool {
    var rest = typed[...]
    while let byte = rest.popFirst() {
      if leavingKeys.contains(byte) { return true }
      guard byte == 0x1B, let kind = rest.popFirst() else { continue }
      // CSI and SS3 end with a letter or another final byte.
      guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { continue }
      while let next = rest.popFirst(), !(0x40...0x7E).contains(next) {}
    }
    return false
  }

  /// Returns the number of lines that the session has on a terminal of the given number of lines.
  static func room(in lines: Int) -> Int { lines > 2 ? lines - 1 : lines }

  /// Returns the sequence that draws the line on a terminal of the given size.
  ///
  /// It leaves the cursor and the style as they were (DECSC and DECRC).
  ///
  /// If the session fills the terminal, the line covers only the end of its last line, where tmux
  /// shows the clock.
  func drawn(on size: SSHChannel.TerminalSize, isOver: Bool) -> [UInt8] {
    guard size.lines > 2 else { return [] }
    let shown = text.prefix(size.columns)
    let column = isOver ? size.columns - shown.count + 1 : 1
    return Array(
      "\u{1B}7\u{1B}[\(size.lines);\(column)H\u{1B}[0;7m\(shown)\u{1B}[0m\u{1B}[K\u{1B}8".utf8)
  }

  /// Returns the given output, and after it the line if the output may have erased it: with ED, or
  /// by a move to the last line.
  func kept(
    after output: [UInt8], on size: SSHChannel.TerminalSize, isOver: Bool = false
  ) -> [UInt8] {
    let text = isOver ? String(decoding: output, as: UTF8.self) : ""
    let isErased =
      output.contains(UInt8(ascii: "J"))
      || ["[\(size.lines);", "[\(size.lines)d"].contains { text.contains($0) }
    return isErased ? output + drawn(on: size, isOver: isOver) : output
  }
}
