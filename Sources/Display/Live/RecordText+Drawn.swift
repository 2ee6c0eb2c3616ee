import Terminals

extension RecordText {
  /// Returns the sequence that moves from below the drawn lines to the first of them.
  ///
  /// It uses CUU of ECMA-48. If the window became narrower, the drawn lines occupy more rows than
  /// before. The rows are therefore counted for the current width.
  func above(_ drawn: [String]) -> String {
    let columns = max(1, width ?? .max)
    let rows = drawn.reduce(0) {
      $0 + max(1, (Cells.width(EscapeSequences.removed(from: $1)) - 1) / columns + 1)
    }
    return "\r\u{1B}[\(rows)A"
  }
}
