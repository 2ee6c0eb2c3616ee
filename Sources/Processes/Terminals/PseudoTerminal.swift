import CProcess
public import Core
import Foundation

/// A pseudo-terminal for a stream of the command, if our own stream is a terminal.
///
/// It changes no byte of the command's output: the real terminal processes the output.
public struct PseudoTerminal: Sendable {
  /// Our end, from which the command's output is read.
  public let controller: Int32
  /// The command's end.
  public let terminal: Int32

  /// Opens a pseudo-terminal with the modes and size of an existing terminal.
  ///
  /// - Throws: `TerminalInitFailed`.
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
      // A terminal that rejects the modes is still usable.
      _ = tcsetattr(terminal, TCSANOW, &modes)
    }
    Self.copySize(from: model, to: controller)
  }

  /// Copies one terminal's size to another.
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
