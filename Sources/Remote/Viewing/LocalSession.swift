public import Core
import Foundation
public import Tmux

/// A tmux session of this machine, looked at without a connection and without a client: its windows
/// keep their size, and nobody in it notices.
public struct LocalSession {
  /// Asks the tmux of this machine.
  public typealias Ask = (TmuxCommand) throws(Failure) -> TmuxAnswer

  static let host = "this machine"
  /// Milliseconds between two looks: after a change, and the longest.
  private static let pauses: (first: Int32, last: Int32) = (100, 500)
  /// Ctrl-], and Ctrl-C where it comes as a key.
  private static let leavingKeys: Set<UInt8> = [0x1D, 0x03]

  private let target: TmuxTarget
  private let tmux: String?
  private let ask: Ask

  /// A session; nothing happens yet.
  ///
  /// - Parameters:
  ///   - name: The session's exact name or its id; its current window's active pane is taken.
  ///   - tmux: The program, by an absolute path; by default the one in the PATH.
  ///   - ask: Asks it.
  /// - Throws: `TmuxSessionNotFound` for a name that no session can have; `BadInput`.
  public init(named name: String, tmux: String?, ask: @escaping Ask) throws(Failure) {
    do throws(Failure) { target = try TmuxTarget(name) } catch { throw Self.explained(error) }
    self.tmux = tmux
    self.ask = ask
  }

  /// What its screen shows now.
  ///
  /// - Parameters:
  ///   - escapes: Whether colours and attributes come with it.
  ///   - history: How many lines above the screen are taken too.
  /// - Returns: The screen, dated now.
  /// - Throws: `TmuxNotFound`, `TmuxSessionNotFound`, `InvalidResponse`.
  public func snapshot(escapes: Bool, history: Int) throws(Failure) -> TerminalSnapshot {
    try first(escapes: escapes, history: history)
      .record(ts: Timestamp.now.milliseconds, escapes: escapes)
  }

  /// Shows it until it ends or the user leaves it.
  ///
  /// - Parameters:
  ///   - terminal: The terminal here, taken once there is something to show.
  ///   - signals: Those that concern it.
  ///   - interruption: Ends it.
  /// - Throws: As ``snapshot(escapes:history:)``; `Interrupted`.
  public func show(
    on terminal: LocalTerminal, signals: TerminalSignals, interruption: Interruption
  ) throws(Failure) {
    var screen = try first(escapes: true)
    terminal.enter()
    var painter = ScreenPainter(columns: terminal.size.columns, lines: terminal.size.lines)
    var pause = Self.pauses.first
    while true {
      let bytes = painter.paint(screen)
      terminal.write(bytes)
      pause = bytes.isEmpty ? min(pause * 2, Self.pauses.last) : Self.pauses.first
      var waited = [terminal.descriptor, signals.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try interruption.wait(for: &waited, within: pause)
      if waited[0].revents != 0, hasLeft(terminal) { return }
      if waited[1].revents != 0 {
        if signals.received().contains(SIGTSTP) { signals.stop(terminal) }
        painter.resize(columns: terminal.size.columns, lines: terminal.size.lines)
      }
      do throws(Failure) {
        screen = try self.screen(escapes: true)
      } catch {
        // It has ended, and so has the looking.
        guard error.code == .tmuxSessionNotFound else { throw error }
        return
      }
    }
  }

  /// What it shows, for who may have meant a host.
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
      failure.explanation += ": to name a host, put it before the session"
    }
    return failure
  }

  private func screen(escapes: Bool, history: Int = 0) throws(Failure) -> TmuxScreen {
    let command = try TmuxCommand.capture(target, escapes: escapes, history: history, tmux: tmux)
    return try TmuxScreen(try ask(command), of: target, on: Self.host, history: history)
  }

  /// Whether what was typed asks to leave; of a terminal that is gone, too.
  private func hasLeft(_ terminal: LocalTerminal) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.descriptor, &bytes, bytes.count)
    guard count > 0 else { return count == 0 || errno != EINTR && errno != EAGAIN }
    return bytes[..<count].contains { Self.leavingKeys.contains($0) }
  }
}
