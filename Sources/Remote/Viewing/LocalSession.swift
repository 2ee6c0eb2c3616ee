public import Core
import Foundation
public import Tmux

/// A view of a tmux session on this machine.
///
/// It captures the screen and attaches no client, so that the session's windows are not resized.
public struct LocalSession {
  /// A function that runs a command of this machine's tmux.
  public typealias Run = (TmuxCommand) throws(Failure) -> TmuxAnswer

  static let host = "this machine"
  /// The pauses between two captures, in milliseconds.
  ///
  /// `first` follows a change. While nothing changes, the pause grows up to `last`.
  private static let pauses: (first: Int32, last: Int32) = (100, 500)
  private let target: TmuxTarget
  private let tmux: String?
  private let run: Run

  /// Creates a view of the given session.
  ///
  /// - Parameters:
  ///   - name: The session's exact name or its ID. The active pane of its current window is shown.
  ///   - tmux: The absolute path of tmux; nil for the one in the PATH.
  ///   - run: A closure that runs tmux commands.
  /// - Throws: `TmuxSessionNotFound` if no session can have the name; `BadInput` if the name is
  ///   ambiguous.
  public init(named name: String, tmux: String?, run: @escaping Run) throws(Failure) {
    do throws(Failure) { target = try TmuxTarget(name) } catch { throw Self.explained(error) }
    self.tmux = tmux
    self.run = run
  }

  /// Captures the session's screen.
  ///
  /// - Parameters:
  ///   - escapes: `true` to include colours and attributes.
  ///   - history: The number of lines above the screen to include.
  /// - Returns: The screen, with the current time.
  /// - Throws: `TmuxNotFound` if this machine has no tmux; `TmuxSessionNotFound` if there is no
  ///   such session; `InvalidResponse` if the capture cannot be parsed.
  public func snapshot(escapes: Bool, history: Int) throws(Failure) -> TerminalSnapshot {
    try first(escapes: escapes, history: history)
      .record(ts: Timestamp.now.milliseconds, escapes: escapes)
  }

  /// Shows the session until it ends or the user leaves it.
  ///
  /// - Parameters:
  ///   - terminal: The local terminal. It is entered after the first capture.
  ///   - signals: The signals of the local terminal.
  ///   - interruption: The interruption that ends the view.
  /// - Throws: `Interrupted` if the process is to end; the errors of
  ///   ``snapshot(escapes:history:)``.
  public func show(
    on terminal: LocalTerminal, signals: TerminalSignals, interruption: Interruption
  ) throws(Failure) {
    var screen = try first(escapes: true)
    terminal.enter()
    let bar = ViewBar(takesInput: false)
    var size = terminal.size
    var painter = ScreenPainter(columns: size.columns, lines: ViewBar.room(in: size.lines))
    var pause = Self.pauses.first
    while true {
      let bytes = painter.paint(screen)
      terminal.write(bar.kept(after: bytes, on: size))
      pause = bytes.isEmpty ? min(pause * 2, Self.pauses.last) : Self.pauses.first
      var waited = [terminal.descriptor, signals.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try interruption.wait(for: &waited, within: pause)
      if waited[0].revents != 0, hasLeft(terminal) { return }
      if waited[1].revents != 0 {
        if signals.received().contains(SIGTSTP) { signals.stop(terminal) }
        size = terminal.size
        painter.resize(columns: size.columns, lines: ViewBar.room(in: size.lines))
      }
      do throws(Failure) {
        screen = try self.screen(escapes: true)
      } catch {
        // The end of the session ends the view, too.
        guard error.code == .tmuxSessionNotFound else { throw error }
        return
      }
    }
  }

  /// Captures the first screen.
  ///
  /// If there is no such session, the failure suggests that the name may be a host's.
  private func first(escapes: Bool, history: Int = 0) throws(Failure) -> TmuxScreen {
    do throws(Failure) {
      return try screen(escapes: escapes, history: history)
    } catch {
      throw Self.explained(error)
    }
  }

  static func explained(_ failure: Failure) -> Failure {
    var failure = failure
    if failure.code == .tmuxSessionNotFound {
      failure.nextStep = "list the sessions; to name a host, put it before the session"
    }
    return failure
  }

  private func screen(escapes: Bool, history: Int = 0) throws(Failure) -> TmuxScreen {
    let command = try TmuxCommand.capture(target, escapes: escapes, history: history, tmux: tmux)
    return try TmuxScreen(try run(command), of: target, on: Self.host, history: history)
  }

  /// Returns `true` if the user typed a key that ends the view, or if the terminal is gone.
  private func hasLeft(_ terminal: LocalTerminal) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.descriptor, &bytes, bytes.count)
    guard count > 0 else { return count == 0 || errno != EINTR && errno != EAGAIN }
    // Ctrl-C may arrive as a key.
    return bytes[..<count].contains(0x03) || ViewBar.isLeft(by: bytes[..<count])
  }
}
