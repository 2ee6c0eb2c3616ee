import CTerminal
public import Core
import Foundation
import Synchronization
import Terminals

/// The terminal that a remote one is shown on.
///
/// What was changed of it is put back when it is left, however that comes about, but for SIGKILL.
public final class LocalTerminal: Sendable {
  private struct State {
    var isEntered = false
    /// What the terminal was told since it was taken.
    var changes = TerminalChanges()
    var undoing: [UInt8] = []
  }

  /// The terminal itself, for keys and for the screen: stdout is for records.
  let descriptor: Int32
  private let saved: termios
  private let state = Mutex(State())
  private let takesInput: Bool

  /// Looks at the terminal of stdin and stdout.
  ///
  /// - Parameter takesInput: Whether what is typed is for the remote one: Ctrl-C too, then.
  /// - Throws: `TerminalInitFailed` where there is none.
  public init(takesInput: Bool) throws(Failure) {
    var state = termios()
    descriptor =
      isatty(0) == 1 && isatty(1) == 1 ? open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
    guard descriptor >= 0, tcgetattr(descriptor, &state) == 0 else {
      throw Failure(
        .terminalInitFailed,
        "cannot show the session without a terminal: use 'tmux-attach watch' "
          + "or 'tmux-attach snapshot'",
        kind: .noTerminal)
    }
    saved = state
    self.takesInput = takesInput
  }

  deinit {
    leave()
    close(descriptor)
  }

  /// Its size in cells.
  public var size: SSHChannel.TerminalSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return SSHChannel.TerminalSize(columns: 80, lines: 24)
    }
    return SSHChannel.TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }

  /// Takes the whole screen and every key.
  public func enter() {
    let isNew = state.withLock { state in
      guard !state.isEntered else { return false }
      state.isEntered = true
      state.changes = TerminalChanges()
      state.undoing = []
      // Before anything is changed: from here on it is given back, whatever happens.
      note([], &state)
      // Of a terminal that is gone there is nothing to remember.
      _ = terminal_remember(descriptor)
      var raw = saved
      cfmakeraw(&raw)
      // Ctrl-C and Ctrl-Z are for us where nothing typed is for the remote terminal.
      if !takesInput { raw.c_lflag |= tcflag_t(ISIG) }
      tcsetattr(descriptor, TCSADRAIN, &raw)
      return true
    }
    if isNew { write(Array("\u{1B}[?1049h\u{1B}[H\u{1B}[2J".utf8)) }
  }

  /// Gives the screen back as it was.
  public func leave() {
    state.withLock { state in
      guard state.isEntered else { return }
      state.isEntered = false
      terminal_give_back(0)
    }
  }

  /// Gives the screen back on any thread, without waiting for the one that has the terminal.
  public func giveBackAtOnce() { terminal_give_back(1) }

  /// Writes bytes to it; those of a terminal that is gone are lost.
  public func write(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.isEntered { note(bytes, &state) }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        terminal_write(descriptor, $0.baseAddress, UInt($0.count))
      }
      if count > 0 { rest = rest.dropFirst(count) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
    }
  }

  /// Notes what takes bytes back that are about to be written.
  private func note(_ bytes: [UInt8], _ state: inout State) {
    state.changes.read(bytes)
    let undoing = state.changes.restoringAll
    guard undoing != state.undoing else { return }
    state.undoing = undoing
    terminal_set_undoing(undoing, UInt(undoing.count))
  }
}
