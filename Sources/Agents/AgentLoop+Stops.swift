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
    let isPause = isHeld || stops.first?.action == .pause
    // A full-screen program catches the signal, resets the terminal and stops itself by SIGSTOP.
    let isAboutTerminal =
      !isPause
      && ([SIGTSTP, SIGTTIN, SIGTTOU].contains(number)
        || number == SIGSTOP && command.catchesTerminalStops)
    if isAboutTerminal, number != SIGTSTP, terminal.isOurs {
      // The command needs the terminal, and this process can give it.
      terminal.give(to: command.id)
      command.signal(SIGCONT)
      lateStops = .now + Self.grace
      return
    }
    // While the command is stopped, control-C and control-Z are for this process.
    terminal.takeBack(from: command.id)
    set(isStopped: true)
    if isAboutTerminal, terminal.isThere { stopJob() }
  }

  /// Continues a process of the group that stopped for the terminal after the group got it.
  ///
  /// A program that catches SIGTTOU stops a moment later than the command does. SIGCONT then comes
  /// too early, and wait(2) does not report a stop of a grandchild.
  mutating func continueLateStops() {
    guard let limit = lateStops else { return }
    if ending != nil || limit <= .now { lateStops = nil }
    guard !isStopped, stops.isEmpty, Descendants.hasStopped(inGroup: command.id) else { return }
    command.signal(SIGCONT)
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
  ///
  /// A command that a control paused stays paused.
  mutating func stopJob() {
    events.write()
    HeldLocks.stopProcess()
    if !isHeld, stops.isEmpty { resumeJob() }
  }

  /// Lets the command go on, in the foreground where this process is.
  mutating func resumeJob() {
    giveTerminalAgain()
    command.signal(SIGCONT)
  }

  /// Gives the terminal to a command that had it before, if it is ours.
  mutating func giveTerminalAgain() {
    if terminal.isGiven, terminal.isOurs { terminal.give(to: command.id) }
  }
}
