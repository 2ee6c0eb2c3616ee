import Foundation

/// The size of a terminal in cells (TIOCGWINSZ, tty_ioctl(4)).
public struct TerminalSize: Sendable, Hashable {
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size with the given numbers of columns and rows.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Reads the size of the given terminal; nil if the descriptor does not refer to a terminal.
  ///
  /// If the size is unknown, as on a serial line, the size is 80 by 24.
  public init?(of descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown =
      ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    self.init(
      columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
  }
}
