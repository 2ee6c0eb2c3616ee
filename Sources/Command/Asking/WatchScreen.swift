public import Core
public import Display
import Foundation
import Processes
import Synchronization

/// A full-screen view on the terminal that reads keys and is redrawn until the process ends.
///
/// Keys are handled as they arrive. The view is refreshed after a change in the data folder, or
/// once a second. If refreshing is slow, it happens less often, so that it takes at most an eighth
/// of the time.
public final class WatchScreen {
  /// The next action of the screen.
  public enum Step {
    /// Show the given rows.
    case show([String])
    /// Restore the terminal and end the tool.
    case end
    /// Restore the terminal and stop the process until the user continues the job.
    case suspend
    /// Lend the terminal to the given command, and redraw the screen when the command ends.
    case run([String])
  }

  private let session: Session
  private let output = RecordWriter()
  private let keyInput: KeyInput?
  private let changes: FileWatch
  private var screen = Screen()
  private let change = TerminalChange()

  /// Creates a view on the terminal that is stdout.
  ///
  /// - Throws: `StorageFailed` if the data folder cannot be watched.
  public init(_ session: Session) throws(Failure) {
    self.session = session
    keyInput = session.isOnTerminal ? KeyInput() : nil
    try Directories.make(session.directories.data)
    changes = try FileWatch(
      folder: session.directories.data, interruption: session.interruption)
    session.signals.listen(to: Self.signals) { [change] _ in change.set() }
  }

  /// The signals that a tool with a watch screen must handle.
  ///
  /// One reports a change of the terminal's size. The other reports that the process continues
  /// after a stop that cannot be caught (SIGSTOP).
  public static let signals: Set<Int32> = [SIGWINCH, SIGCONT]

  /// Runs the view until `nextStep` ends it or the process is interrupted.
  ///
  /// The terminal is restored before the function returns or throws.
  ///
  /// - Parameter nextStep: A function that returns the next step for the given terminal size and
  ///   pressed keys.
  /// - Throws: `Interrupted` if the process is interrupted; otherwise any error that `nextStep`
  ///   throws.
  public func run(
    _ nextStep: (RecordText, TerminalSize, [Key]) throws(Failure) -> Step
  ) throws(Failure) {
    try begin()
    defer { try? end() }
    var keys: [Key] = []
    while true {
      let began = ContinuousClock.now
      let size = TerminalSize(of: 1) ?? TerminalSize(columns: 80, rows: 24)
      let text = RecordText(width: size.columns, palette: session.palette)
      switch try nextStep(text, size, keys) {
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

  /// Waits until keys arrive, the data folder changes, or a second has passed.
  ///
  /// After a slow refresh, the wait lasts at least `pause` unless keys arrive.
  private func wait(atLeast pause: Duration) throws(Failure) -> [Key] {
    let least = Int(max(250, min(10_000, pause / .milliseconds(1))))
    for waited in stride(from: 0, to: least + 750, by: 50) {
      if change.consume() {
        // Another program may have changed the terminal's settings meanwhile.
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
    _ = change.consume()
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

/// A flag that is set when the process is continued or the terminal is resized.
private final class TerminalChange: Sendable {
  private let isSet = Mutex(false)

  func set() { isSet.withLock { $0 = true } }

  /// Clears the flag, and returns `true` if it was set.
  func consume() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }
}
