import Foundation

/// The start of a line on a terminal that other programs write to as well.
public enum LineStart {
  /// Returns the text that moves the cursor of the given terminal to the start of a line.
  ///
  /// Another program of the pipeline may have left the cursor behind a progress line or a question.
  /// One space less than a line has columns then moves the cursor to the next line, and the text
  /// stays. At the start of a line, the cursor stays where it is.
  ///
  /// - Parameter descriptor: The terminal; for anything else, the text is empty.
  /// - Returns: The text.
  public static func text(of descriptor: Int32) -> String {
    guard isatty(descriptor) == 1 else { return "" }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return String(repeating: " ", count: (isKnown ? Int(size.ws_col) : 80) - 1) + "\r"
  }
}
