import CProcess
public import Core
import Foundation

/// A pseudo-terminal that the command gets as a stream if this process's own stream is a terminal.
///
/// The command's output is passed on unchanged, because the real terminal processes it.
public struct PseudoTerminal: Sendable {
  /// This process's end, from which the command's output is read.
  public let controller: Int32
  /// The end that the command uses as its stream.
  public let terminal: Int32

  /// Opens a pseudo-terminal with the modes and the size of the given terminal.
  ///
  /// - Throws: `TerminalInitFailed` if no pseudo-terminal can be opened.
  public init(like model: Int32) throws(Failure) {
    var ends: (Int32, Int32) = (-1, -1)
    let code = process_open_terminal(&ends.0, &ends.1)
    guard code == 0 else {
      throw Failure(
        .terminalInitFailed, "cannot open a terminal: \(String(cString: strerror(code)))")
    }
    (controller, terminal) = ends
    var modes = termios()
    if tcgetattr(model, &modes) == 0 || tcgetattr(terminal, &modes) == 0 {
      modes.c_oflag &= ~tcflag_t(OPOST)
      // If the terminal rejects the modes, it is still usable.
      _ = tcsetattr(terminal, TCSANOW, &modes)
    }
    Self.copySize(from: model, to: controller)
  }

  /// Copies the size of one terminal to another.
  ///
  /// - Returns: `true` if the size changed.
  @discardableResult
  public static func copySize(from model: Int32, to controller: Int32) -> Bool {
    var wanted = winsize()
    var present = winsize()
    guard ioctl(model, UInt(TIOCGWINSZ), &wanted) == 0,
      ioctl(controller, UInt(TIOCGWINSZ), &present) == 0,
      wanted.ws_row != present.ws_row || wanted.ws_col != present.ws_col
        || wanted.ws_xpixel != present.ws_xpixel || wanted.ws_ypixel != present.ws_ypixel
    else { return false }
    return ioctl(controller, UInt(TIOCSWINSZ), &wanted) == 0
  }
}
