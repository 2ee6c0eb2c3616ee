import Core
import Foundation
import Processes
import Requests

/// Pausing and resuming: by a control, by the terminal, and by a shell.
extension AgentLoop {
  /// Carries out a control, and answers it once it is done.
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
      // A stopped process cannot end before it continues.
      for number in [SIGTERM, SIGCONT] {
        command.signal(number)
        for process in strays { kill(process, number) }
      }
    }
  }

  /// Stops or continues the command for the next control in the queue.
  ///
  /// Controls are carried out one at a time: a command that is continued before it has stopped
  /// never stops, and no status would be reported.
  private mutating func beginStop() {
    while let next = stops.first {
      guard (next.action == .pause) == isStopped else {
        return next.action == .pause ? command.signal(SIGSTOP) : resumeJob()
      }
      answerStop()
    }
  }

  /// Answers the first queued control, whose requested state is reached.
  private mutating func answerStop() {
    // By the time the answer arrives, the log must show the same state.
    events.flush()
    controls.answer(stops.removeFirst(), .applied)
  }

  /// Refuses the queued controls, because the command ended first.
  mutating func refuseWaiting() {
    for control in stops { controls.answer(control, .refused) }
    stops = []
  }

  /// Handles a stop of the command's process.
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

  /// Records that the command stopped or continued, and answers the control that waits for it.
  mutating func set(isStopped: Bool) {
    let hasChanged = self.isStopped != isStopped
    self.isStopped = isStopped
    if hasChanged { events.stands(status, isHeartbeat: false) }
    guard let first = stops.first, (first.action == .pause) == isStopped else { return }
    answerStop()
    beginStop()
  }

  /// Stops this process as well, so that the shell sees a stopped job; returns once it continues.
  ///
  /// A command that a control paused stays paused.
  mutating func stopJob() {
    events.write()
    HeldLocks.stopProcess()
    if !isHeld, stops.isEmpty { resumeJob() }
  }

  /// Continues the command, in the foreground if this process is there.
  mutating func resumeJob() {
    giveTerminalAgain()
    command.signal(SIGCONT)
  }

  /// Returns the terminal to a command that had it before, if it is ours.
  mutating func giveTerminalAgain() {
    if terminal.isGiven, terminal.isOurs { terminal.give(to: command.id) }
  }
}
