import Core
import Foundation
import Processes
import Requests

/// Stopping and going on: by a control, by the terminal, and by a shell.
extension AgentLoop {
  /// Does what a control asks for; it is answered once it is done.
  mutating func carryOut(_ control: PendingControl) {
    guard ending == nil else { return controls.answer(control, .refused) }
    switch control.action {
    case .pause, .resume:
      isHeld = control.action == .pause
      stops.append(control)
      if stops.count == 1 { beginStop() }
    case .terminate:
      isHeld = false
      terminations.append(control)
      patience = patience ?? .now + Self.grace
      // Who is stopped would not end before it goes on.
      for number in [SIGTERM, SIGCONT] {
        command.signal(number)
        for process in strays { kill(process, number) }
      }
    }
  }

  /// Stops the command or lets it go on, as is asked next.
  ///
  /// One after the other: a command that is let go on before it has stopped never stops, and nobody
  /// would be told of either.
  private mutating func beginStop() {
    while let next = stops.first {
      guard (next.action == .pause) == isStopped else {
        return next.action == .pause ? command.signal(SIGSTOP) : resumeJob()
      }
      answerStop()
    }
  }

  /// Answers the control that was asked first: it is as it asks for.
  private mutating func answerStop() {
    // Who sees the answer finds the log telling the same.
    events.flush()
    controls.answer(stops.removeFirst(), .applied)
  }

  /// Controls that the end of the command came before.
  mutating func refuseWaiting() {
    for control in stops { controls.answer(control, .refused) }
    stops = []
  }

  /// The command's process was stopped.
  mutating func stopped(by number: Int32) {
    guard stops.first?.action != .pause, !isHeld else { return set(isStopped: true) }
    let isAboutTerminal = [SIGTSTP, SIGTTIN, SIGTTOU].contains(number)
    if number == SIGTTIN || number == SIGTTOU, terminal.isOurs {
      // It wants the terminal, which is ours to give.
      terminal.give(to: command.id)
      command.signal(SIGCONT)
      return
    }
    set(isStopped: true)
    guard isAboutTerminal, terminal.isThere else { return }
    stopJob()
  }

  /// Notes that the command is stopped or goes on, and answers who waits for that.
  mutating func set(isStopped: Bool) {
    let hasChanged = self.isStopped != isStopped
    self.isStopped = isStopped
    if hasChanged { events.stands(status, isHeartbeat: false) }
    guard let first = stops.first, (first.action == .pause) == isStopped else { return }
    answerStop()
    beginStop()
  }

  /// Stops this process as well, so that the shell sees a stopped job; returns when it goes on.
  private mutating func stopJob() {
    terminal.takeBack(from: command.id)
    events.write()
    HeldLocks.stopProcess()
    resumeJob()
  }

  /// Lets the command go on, in the foreground where this process is.
  mutating func resumeJob() {
    if terminal.isGiven, terminal.isOurs { terminal.give(to: command.id) }
    command.signal(SIGCONT)
  }
}
