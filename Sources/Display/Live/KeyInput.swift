import Core
import Foundation

/// The reader of key presses on the controlling terminal (termios(3)).
///
/// Ctrl-C still sends a signal. Ctrl-Z arrives as a key, so that the screen can be restored first.
public final class KeyInput {
  private let terminal: Descriptor
  private var before = termios()
  /// The bytes of an incomplete key that were read so far.
  private var begun: [UInt8] = []

  /// Opens `/dev/tty`.
  ///
  /// It is nil if there is no terminal or this process is in the background.
  public init?() {
    terminal = Descriptor(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK))
    guard terminal.isOpen, tcgetpgrp(terminal.number) == getpgrp(),
      tcgetattr(terminal.number, &before) == 0
    else { return nil }
  }

  /// The terminal's descriptor, to pass to poll(2).
  public var descriptor: Int32 { terminal.number }

  /// Makes the terminal deliver each key at once, without echo.
  public func begin() {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      bytes[Int(VMIN)] = 0
      bytes[Int(VTIME)] = 0
      bytes[Int(VSUSP)] = 0
    }
    // If the terminal refuses these modes, it echoes keys but can still be read.
    _ = tcsetattr(terminal.number, TCSADRAIN, &raw)
  }

  /// Restores the terminal's modes.
  public func end() {
    _ = tcsetattr(terminal.number, TCSADRAIN, &before)
  }

  /// Returns the keys that were pressed since the last call; nil if the terminal is gone.
  public func keys() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.number, &bytes, bytes.count)
    // If poll(2) reported data and there is none, the terminal is gone.
    if count <= 0 { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
    begun += bytes[..<count]
    return Key.keys(&begun)
  }

  /// `true` if an incomplete key was read.
  ///
  /// Its remaining bytes arrive within 50 ms or never.
  public var hasBegun: Bool { !begun.isEmpty }

  /// Returns the keys in an incomplete sequence whose remaining bytes did not arrive.
  public func keysBegun() -> [Key] { Key.keys(&begun, isAll: true) }
}
