import CTerminal
public import Core
import Foundation
import Synchronization
import Terminals

/// The local terminal that shows a session.
///
/// Its state is restored when the process ends, unless SIGKILL ends it.
public final class LocalTerminal: Sendable {
  private struct State {
    var isEntered = false
    /// The changes to the terminal since ``enter()``.
    var changes = TerminalChanges()
    var undoing: [UInt8] = []
  }

  /// The terminal device for keys and the screen.
  ///
  /// stdout is not used, because it is for records.
  let descriptor: Int32
  private let saved: termios
  private let state = Mutex(State())
  private let takesInput: Bool

  /// Opens the terminal of stdin and stdout.
  ///
  /// - Parameter takesInput: `true` if typed keys, including Ctrl-C, are sent to the session.
  /// - Throws: `TerminalInitFailed` if the process has no terminal.
  public init(takesInput: Bool) throws(Failure) {
    var state = termios()
    descriptor =
      isatty(0) == 1 && isatty(1) == 1 ? open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
    guard descriptor >= 0, tcgetattr(descriptor, &state) == 0 else {
      throw Failure(
        .terminalInitFailed, "cannot show the session without a terminal", kind: .noTerminal,
        nextStep: "use 'tmux-attach watch' or 'tmux-attach snapshot'")
    }
    saved = state
    self.takesInput = takesInput
  }

  deinit {
    leave()
    close(descriptor)
  }

  /// The terminal's size in cells.
  public var size: SSHChannel.TerminalSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return SSHChannel.TerminalSize(columns: 80, lines: 24)
    }
    return SSHChannel.TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }

  /// Switches to a blank screen, and receives keys unprocessed.
  public func enter() {
    let isNew = state.withLock { state in
      guard !state.isEntered else { return false }
      state.isEntered = true
      state.changes = TerminalChanges()
      state.undoing = []
      // Recorded before any change, so that the terminal is restored in any case.
      record([], &state)
      // A terminal that is gone has no state to save.
      _ = terminal_remember(descriptor)
      var raw = saved
      cfmakeraw(&raw)
      // Without input to the session, Ctrl-C and Ctrl-Z act on this process.
      if !takesInput { raw.c_lflag |= tcflag_t(ISIG) }
      tcsetattr(descriptor, TCSADRAIN, &raw)
      return true
    }
    if isNew { write(Array("\u{1B}[?1049h\u{1B}[H\u{1B}[2J".utf8)) }
  }

  /// Restores the screen and the processing of keys.
  public func leave() {
    state.withLock { state in
      guard state.isEntered else { return }
      state.isEntered = false
      terminal_give_back(0)
    }
  }

  /// Restores the screen.
  ///
  /// It may be called on any thread, and does not wait for the thread that uses the terminal.
  public func restoreImmediately() { terminal_give_back(1) }

  /// Writes the given bytes.
  ///
  /// If the terminal is gone, they are discarded.
  public func write(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.isEntered { record(bytes, &state) }
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

  /// Records how to undo the effects of the given bytes, before they are written.
  private func record(_ bytes: [UInt8], _ state: inout State) {
    state.changes.read(bytes)
    let undoing = state.changes.restoringAll
    guard undoing != state.undoing else { return }
    state.undoing = undoing
    terminal_set_undoing(undoing, UInt(undoing.count))
  }
}
