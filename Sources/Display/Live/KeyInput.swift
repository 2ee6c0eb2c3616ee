import Core
import Foundation

/// The keys of the terminal that the process is on, one by one as they are pressed (termios(3)).
///
/// Ctrl-C stays a signal; Ctrl-Z comes as a key, so that the screen can be given back first.
public final class KeyInput {
  private let terminal: Descriptor
  private var before = termios()
  /// What came of a key whose rest did not.
  private var begun: [UInt8] = []

  /// Opens `/dev/tty`; nil where there is none, or it is not ours to read.
  public init?() {
    terminal = Descriptor(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK))
    guard terminal.isOpen, tcgetpgrp(terminal.number) == getpgrp(),
      tcgetattr(terminal.number, &before) == 0
    else { return nil }
  }

  /// What to wait on with poll(2).
  public var descriptor: Int32 { terminal.number }

  /// Hands over keys as they come, and shows none.
  public func begin() {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      bytes[Int(VMIN)] = 0
      bytes[Int(VTIME)] = 0
      bytes[Int(VSUSP)] = 0
    }
    // A terminal that refuses shows keys, and is still read.
    _ = tcsetattr(terminal.number, TCSADRAIN, &raw)
  }

  /// Sets the terminal as it was.
  public func end() {
    _ = tcsetattr(terminal.number, TCSADRAIN, &before)
  }

  /// The keys that were pressed by now; nil where the terminal is gone.
  public func keys() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.number, &bytes, bytes.count)
    // Who was told that there is something and finds nothing has lost the terminal.
    if count <= 0 { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
    begun += bytes[..<count]
    return Key.keys(&begun)
  }

  /// Whether something came that may be the beginning of a key: the rest comes within 50 ms, or never.
  public var hasBegun: Bool { !begun.isEmpty }

  /// The keys of what began and did not go on.
  public func keysBegun() -> [Key] { Key.keys(&begun, isAll: true) }
}
