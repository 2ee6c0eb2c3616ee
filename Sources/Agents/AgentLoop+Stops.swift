import Core
import Foundation
import Processes
import Requests

/// Pauses and continuations of the command, whether by a control, the terminal or a shell.
extension AgentLoop {
  /// Carries out the given control.
  ///
  /// The outcome is reported when the control is done.
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
      terminate()
    }
  }

  /// Requests the end of the command and of all its processes.
  ///
  /// Those that still run after ``grace`` are killed.
  mutating func terminate() {
    patience = patience ?? .now + Self.grace
    // A stopped process does not end until it continues.
    for number in [SIGTERM, SIGCONT] {
      command.signal(number)
      for process in strays { kill(process, number) }
    }
  }

  /// Stops or continues the command, as the first queued control requests.
  ///
  /// Controls are carried out one at a time. A command that is continued before it has stopped
  /// would never stop and would report no status.
  private mutating func beginStop() {
    while let next = stops.first {
      guard (next.action == .pause) == isStopped else {
        guard next.action == .pause else { return resumeJob() }
        command.signal(SIGSTOP)
        (stopCheck, hasContinued, continuations) = (.now + Self.stopTime, false, 0)
        return
      }
      answerStop()
    }
  }

  /// Reports that a command that has stayed stopped is paused.
  mutating func confirmStop() {
    guard let check = stayCheck, check <= .now else { return }
    stayCheck = nil
    guard isStopped, stops.first?.action == .pause else { return }
    answerStop()
    beginStop()
  }

  /// Refuses the first queued pause, because the command runs again.
  ///
  /// Another process continued it, unless this one ends it.
  private mutating func refuseStop() {
    (stayCheck, stopCheck) = (nil, nil)
    isHeld = stops.dropFirst().contains { $0.action == .pause }
    // It must not stop after the refusal.
    command.signal(SIGCONT)
    events.flush()
    controls.answer(
      stops.removeFirst(), .refused,
      note: isEndRequested
        ? nil : "another process continued it at once: end that process, or pause it too")
  }

  /// Reports that the first queued control was applied.
  private mutating func answerStop() {
    // The log must show the new state before the outcome is reported.
    events.flush()
    controls.answer(stops.removeFirst(), .applied)
  }

  /// Refuses all queued controls, because the command has ended.
  mutating func refuseWaiting() {
    for control in stops { controls.answer(control, .refused) }
    stops = []
  }

  /// Continues the processes that keep the command from stopping.
  ///
  /// A process that called vfork(2) stops only after its child has called execve(2), and the pause
  /// may have stopped the child before that.
  mutating func continueBlockers() {
    guard let check = stopCheck, check <= .now else { return }
    guard ending == nil, patience == nil, !isStopped, stops.first?.action == .pause else {
      stopCheck = nil
      return
    }
    // Another process may have continued the command before it could stop.
    kill(command.id, SIGSTOP)
    hasContinued =
      Descendants.continueStarting(by: command.id, inGroup: command.id) || hasContinued
    stopCheck = .now + Self.stopTime
  }

  /// Handles that the given signal stopped the command.
  mutating func stopped(by number: Int32) {
    let isPause = isHeld || stops.first?.action == .pause
    if isPause, hasContinued, patience == nil { command.signal(SIGSTOP) }
    // A full-screen program catches the signal, resets the terminal and stops itself by SIGSTOP.
    let isAboutTerminal =
      !isPause
      && ([SIGTSTP, SIGTTIN, SIGTTOU].contains(number)
        || number == SIGSTOP && command.catchesTerminalStops)
    if isAboutTerminal, number != SIGTSTP, terminal.isOurs {
      // The command needs the terminal, and this process can give it.
      terminal.handOver(to: command.id)
      command.signal(SIGCONT)
      lateStops = .now + Self.grace
      return
    }
    // While the command is stopped, Ctrl-C and Ctrl-Z act on this process.
    terminal.reclaim(from: command.id)
    set(isStopped: true)
    if isAboutTerminal, terminal.isThere { stopJob() }
  }

  /// Continues a process of the command's group that stopped after the group received the terminal.
  ///
  /// A program that catches SIGTTOU stops slightly later than the command. The first SIGCONT then
  /// comes too early, and wait(2) does not report that a grandchild stopped.
  mutating func continueLateStops() {
    guard let limit = lateStops else { return }
    if ending != nil || limit <= .now { lateStops = nil }
    guard !isStopped, stops.isEmpty, Descendants.hasStopped(inGroup: command.id) else { return }
    command.signal(SIGCONT)
  }

  /// Records that the command stopped or continued.
  ///
  /// If a control waits for this, its outcome is reported.
  mutating func set(isStopped: Bool) {
    let hasChanged = self.isStopped != isStopped
    self.isStopped = isStopped
    if hasChanged {
      clock.touch()
      events.stands(status, isHeartbeat: false)
    }
    guard let first = stops.first else { return }
    switch (first.action == .pause, isStopped) {
    case (true, true): stayCheck = stayCheck ?? .now + Self.stayTime
    case (true, false):
      continuations += 1
      // A stop that another process ends too soon is not reported.
      guard stayCheck != nil || continuations > Self.mostContinuations else { return }
      refuseStop()
      beginStop()
    case (false, false):
      answerStop()
      beginStop()
    default: break
    }
  }

  /// Stops this process, so that the shell also sees a stopped job.
  ///
  /// Returns after this process was continued. A command that was paused by a control stays paused.
  mutating func stopJob() {
    events.write()
    HeldLocks.stopProcess()
    if !isHeld, stops.isEmpty { resumeJob() }
  }

  /// Continues the command.
  ///
  /// If this process is in the foreground, so is the command.
  mutating func resumeJob() {
    handOverTerminalAgain()
    command.signal(SIGCONT)
  }

  /// Gives the terminal back to the command, if the command had it before and this process has it
  /// now.
  mutating func handOverTerminalAgain() {
    if terminal.isHandedOver, terminal.isOurs { terminal.handOver(to: command.id) }
  }
}
