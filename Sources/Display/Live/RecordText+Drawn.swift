import Terminals

extension RecordText {
  /// What goes to the beginning of lines that stand on the terminal, the cursor below them (CUU of
  /// ECMA-48).
  ///
  /// In a window that was made narrower, what is drawn takes more rows than it did: they are counted
  /// as the terminal needs them now.
  func above(_ drawn: [String]) -> String {
    let columns = max(1, width ?? .max)
    let rows = drawn.reduce(0) {
      $0 + max(1, (Cells.width(EscapeSequences.removed(from: $1)) - 1) / columns + 1)
    }
    return "\r\u{1B}[\(rows)A"
  }
}
