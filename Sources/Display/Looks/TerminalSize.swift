import Foundation

/// How large a terminal is, in cells (TIOCGWINSZ of tty_ioctl(4)).
public struct TerminalSize: Sendable, Hashable {
  /// The cells of a row.
  public var columns: Int
  /// The rows.
  public var rows: Int

  /// A size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of the terminal that a descriptor is; nil where it is none.
  ///
  /// A terminal that does not know its size, such as a serial line, is one of 80 by 24.
  public init?(of descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown =
      ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    self.init(
      columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
  }
}
