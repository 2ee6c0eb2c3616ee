public import Core
public import Display
import Foundation
import Processes
import Synchronization

/// A whole terminal that shows what goes on, and takes keys, until the process is to end.
///
/// Keys are answered as they come. What goes on is looked at when the data folder changed or a second
/// went by, and the less often the longer a look takes: a look is an eighth of the time at most.
public final class WatchScreen {
  /// What is to be done after a look.
  public enum Step {
    /// Show these rows.
    case show([String])
    /// Give the terminal back and end.
    case end
    /// Give the terminal back and stop, until the user goes on with the job.
    case suspend
    /// Give the terminal to a command, and come back.
    case run([String])
  }

  private let session: Session
  private let output = RecordWriter()
  private let keyInput: KeyInput?
  private let changes: FileWatch
  private var screen = Screen()
  private let change = TerminalChange()

  /// A watch on the terminal that stdout is.
  ///
  /// - Throws: `StorageFailed` when the data folder cannot be watched.
  public init(_ session: Session) throws(Failure) {
    self.session = session
    keyInput = session.isOnTerminal ? KeyInput() : nil
    try Directories.make(session.directories.data)
    changes = try FileWatch(
      folder: session.directories.data, interruption: session.interruption)
    session.signals.listen(to: Self.signals) { [change] _ in change.note() }
  }

  /// The signals that a tool takes which has one: another size of the terminal, and going on after a
  /// stop that nobody could prepare for (SIGSTOP).
  public static let signals: Set<Int32> = [SIGWINCH, SIGCONT]

  /// Shows what there is again and again.
  ///
  /// - Parameter look: Tells what to show, of what size, after which keys.
  /// - Throws: What `look` throws, `Interrupted` at the end; the terminal is as before then.
  public func run(
    _ look: (RecordText, TerminalSize, [Key]) throws(Failure) -> Step
  ) throws(Failure) {
    try begin()
    defer { try? end() }
    var keys: [Key] = []
    while true {
      let began = ContinuousClock.now
      let size = TerminalSize(of: 1) ?? TerminalSize(columns: 80, rows: 24)
      let text = RecordText(width: size.columns, palette: session.palette)
      switch try look(text, size, keys) {
      case .end: return
      case .suspend:
        try suspend()
        keys = []
        continue
      case .run(let command):
        try run(command)
        keys = []
        continue
      case .show(let lines): try output.write(text: screen.drawn(lines, size))
      }
      keys = try wait(atLeast: (ContinuousClock.now - began) * 8)
    }
  }

  /// Waits for keys, a change or a second; after a costly look, at least so long unless keys come.
  private func wait(atLeast pause: Duration) throws(Failure) -> [Key] {
    let least = Int(max(250, min(10_000, pause / .milliseconds(1))))
    for waited in stride(from: 0, to: least + 750, by: 50) {
      if change.take() {
        // Whoever had the terminal meanwhile left it as they like it.
        try begin()
        return []
      }
      if waited >= least, try changes.hasChanged(within: 0) { return [] }
      let pressed = try keys(within: 50)
      if !pressed.isEmpty { return pressed }
    }
    return []
  }

  private func keys(within milliseconds: Int32) throws(Failure) -> [Key] {
    guard let keyInput else {
      _ = try session.interruption.isReadable(-1, within: milliseconds)
      return []
    }
    guard try session.interruption.isReadable(keyInput.descriptor, within: milliseconds) else {
      return []
    }
    var keys = try read(keyInput)
    while keyInput.hasBegun {
      guard try session.interruption.isReadable(keyInput.descriptor, within: 50) else {
        return keys + keyInput.keysBegun()
      }
      keys += try read(keyInput)
    }
    return keys
  }

  private func read(_ input: KeyInput) throws(Failure) -> [Key] {
    guard let keys = input.keys() else {
      throw Failure(.interrupted, "the terminal was closed", cause: "SIGHUP")
    }
    return keys
  }

  private func begin() throws(Failure) {
    guard session.isOnTerminal else { return }
    keyInput?.begin()
    try output.write(text: Screen.begin)
    screen.forget()
  }

  private func end() throws(Failure) {
    guard session.isOnTerminal else { return }
    keyInput?.end()
    try output.write(text: Screen.end)
  }

  private func suspend() throws(Failure) {
    try end()
    HeldLocks.stopProcess()
    _ = change.take()
    try begin()
  }

  private func run(_ command: [String]) throws(Failure) {
    try end()
    defer { try? begin() }
    do throws(Failure) {
      _ = try TerminalCommand.run([OwnTool.path(command[0])] + command.dropFirst())
    } catch {
      session.diagnostics.report(error)
    }
    guard let keyInput else { return }
    try output.write(text: "\nPress a key to go back. ")
    keyInput.begin()
    _ = try session.interruption.isReadable(keyInput.descriptor)
    _ = keyInput.keys()
    try output.write(text: "\n")
  }
}

/// Whether the process was stopped and goes on, or the terminal got another size.
private final class TerminalChange: Sendable {
  private let isNoted = Mutex(false)

  func note() { isNoted.withLock { $0 = true } }

  /// Whether it was noted since this was asked last.
  func take() -> Bool {
    isNoted.withLock { isNoted in
      defer { isNoted = false }
      return isNoted
    }
  }
}
