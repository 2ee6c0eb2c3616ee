import Core
import Events
import Foundation
import Processes
import Requests

/// The event loop of a run.
///
/// It ends after the command has ended and its output was passed on.
struct AgentLoop {
  let command: CommandProcess
  var terminal: JobTerminal
  let relays: [OutputRelay]
  let events: AgentEvents
  let controls: any AgentControls
  let inbox: Inbox<AgentMessage>
  let heartbeat: Double
  let guardian: Guardian
  let report: NoticeHandler

  var isStopped = false
  /// `true` if a control paused the command.
  ///
  /// Only a control can then continue it.
  var isHeld = false
  /// The queued controls that pause or continue the command, in the order of their arrival.
  var stops: [PendingControl] = []
  /// The controls that request the end of the command.
  var terminations: [PendingControl] = []
  /// The time until which processes may still stop for the terminal; nil for none.
  ///
  /// See ``continueLateStops()``.
  var lateStops: ContinuousClock.Instant?
  /// The next time at which to check if a paused command has stopped; nil for none.
  ///
  /// See ``continueBlockers()``.
  var stopCheck: ContinuousClock.Instant?
  /// The time at which a paused command that has stayed stopped counts as paused; nil for none.
  var stayCheck: ContinuousClock.Instant?
  /// The number of times that the command was continued since the first queued pause began.
  var continuations = 0
  /// `true` if children of the command were continued so that it could stop.
  var hasContinued = false
  /// The time limits of the command.
  var clock: CommandClock
  /// The time at which the command's group will be killed; nil for none.
  var patience: ContinuousClock.Instant?
  private(set) var ending: ProcessEnding?
  private var streamsLeft: Int
  private var firstSignal: ContinuousClock.Instant?
  /// `true` after a second signal has killed the command.
  private var wasKilled = false
  private var isAbandoned = false

  /// The time that the command's group has to end after a request to terminate.
  static let grace: Duration = .seconds(5)
  /// The time in which a paused command stops, unless one of its children prevents it.
  static let stopTime: Duration = .milliseconds(100)
  /// The time for which a command must stay stopped to count as paused.
  ///
  /// Another process may continue it at once, as tmux(1) continues the programs of its panes.
  static let stayTime: Duration = .milliseconds(200)
  /// The number of continuations after which a command that did not seem to stop counts as running.
  static let mostContinuations = 2
  /// The signals that request the end of the command.
  private static let wishes = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// The time within which several signals count as one request.
  ///
  /// For example, timeout(1) sends two.
  private static let together: Duration = .milliseconds(500)
  /// The interval between checks of the terminal's size.
  ///
  /// A background process receives no signal when the size changes.
  private static let sizeCheck: Duration = .milliseconds(250)

  init(
    command: CommandProcess, terminal: JobTerminal, relays: [OutputRelay], events: AgentEvents,
    controls: any AgentControls, inbox: Inbox<AgentMessage>, heartbeat: Double, guardian: Guardian,
    limits: CommandClock.Limits, report: @escaping NoticeHandler
  ) {
    self.command = command
    self.terminal = terminal
    self.relays = relays
    self.events = events
    self.controls = controls
    self.inbox = inbox
    self.heartbeat = heartbeat
    self.guardian = guardian
    clock = CommandClock(limits)
    self.report = report
    streamsLeft = relays.count
  }

  /// The current status of the run; after the run has ended, its outcome.
  var status: AgentStatus {
    guard let ending else { return isStopped ? .paused : .running }
    guard clock.failure == nil else { return .error }
    guard terminations.isEmpty else { return .terminated }
    switch ending {
    case .status(0): return .finished
    case .signal(SIGPIPE) where relays.contains { $0.isUnread }: return .finished
    case .signal(SIGINT), .signal(SIGTERM), .signal(SIGHUP): return .terminated
    default: return .error
    }
  }

  /// `true` if a control, a signal or a time limit requested the end of the command.
  var isEndRequested: Bool {
    !terminations.isEmpty || clock.failure != nil || firstSignal != nil
  }

  /// Runs the loop until the command has ended, and returns the command's ending.
  mutating func run() -> ProcessEnding {
    var nextHeartbeat = ContinuousClock.now + .seconds(heartbeat)
    while true {
      if let ending, isDone { return ending }
      var next = nextHeartbeat
      if let patience { next = min(next, patience) }
      if let due = timeLimit { next = min(next, due) }
      if let stopCheck { next = min(next, stopCheck) }
      if let stayCheck { next = min(next, stayCheck) }
      if lateStops != nil || relays.contains(where: \.isTerminal) {
        next = min(next, .now + Self.sizeCheck)
      }
      if let message = inbox.next(until: next) { handle(message) }
      if clock.check(due: timeLimit, inbox) { terminate() }
      if ContinuousClock.now >= nextHeartbeat {
        if ending == nil { events.stands(status, isHeartbeat: true) }
        nextHeartbeat = .now + .seconds(heartbeat)
      }
      if let patience, patience <= .now {
        command.signal(SIGKILL)
        for process in strays { kill(process, SIGKILL) }
        self.patience = .now + .seconds(1)
        if ending != nil, isGone { self.patience = nil }
      }
      followSize()
      continueLateStops()
      continueBlockers()
      confirmStop()
    }
  }

  private var isDone: Bool {
    let isEnding = !terminations.isEmpty || clock.failure != nil
    return isAbandoned || streamsLeft == 0 && (!isEnding || isGone)
  }

  /// `true` if all processes started by the command have ended.
  private var isGone: Bool { !command.groupIsThere && strays.isEmpty }

  /// The process IDs of descendants of this process that are not in the command's group.
  var strays: [pid_t] {
    Descendants.outside(group: command.id, butFor: guardian.process)
  }

  private mutating func handle(_ message: AgentMessage) {
    switch message {
    case .child(command.id, let status): commandChanged(status)
    case .child: break
    case .signal(let number): handle(signal: number)
    case .control(let control): carryOut(control)
    case .streamEnded: streamsLeft -= 1
    case .personIsAsked(let isWaiting):
      guard ending == nil else { return }
      if clock.answer(isWaiting: isWaiting, lastOutput: lastOutput, isStopped: isStopped) {
        terminate()
      }
    }
  }

  /// The time of the command's last output; nil if it has printed nothing.
  private var lastOutput: ContinuousClock.Instant? { relays.compactMap(\.lastActivity).max() }

  /// The next time at which a time limit may be reached; nil for none.
  private var timeLimit: ContinuousClock.Instant? {
    ending == nil ? clock.due(lastOutput: lastOutput, isStopped: isStopped) : nil
  }

  private mutating func commandChanged(_ status: Int32) {
    // The conditions of the macros WIFCONTINUED and WIFSTOPPED (wait(2)).
    if status == 0xFFFF {
      // Another process may have continued the command.
      handOverTerminalAgain()
      set(isStopped: false)
    } else if status & 0xFF == 0x7F {
      stopped(by: (status >> 8) & 0xFF)
    } else {
      ending = ProcessEnding(waitStatus: status)
      isStopped = false
      terminal.reclaim(from: command.id)
      refuseWaiting()
      for relay in relays { relay.commandHasEnded() }
    }
  }

  private mutating func handle(signal number: Int32) {
    switch number {
    case SIGWINCH, SIGTTOU: break
    case SIGCONT: if isStopped, stops.isEmpty, !isHeld { resumeJob() }
    case SIGTSTP where isStopped: stopJob()
    case SIGTSTP: command.signal(number)
    default:
      guard ending == nil else {
        ending = .signal(number)
        isAbandoned = true
        return
      }
      // Other signals are passed on each time, because their meaning depends on the command.
      guard Self.wishes.contains(number) else { return command.signal(number) }
      if let firstSignal, firstSignal + Self.together <= .now {
        if !wasKilled { report("received a second signal: killing the command") }
        wasKilled = true
        command.signal(SIGKILL)
        return
      }
      firstSignal = firstSignal ?? .now
      command.signal(number)
      // A stopped process does not end until it continues.
      if isStopped {
        isHeld = false
        resumeJob()
      }
    }
  }

  private func followSize() {
    guard ending == nil else { return }
    // Each terminal must be resized, so the search does not stop at the first change.
    let changed = relays.map { $0.copySize() }
    if changed.contains(true) { command.signal(SIGWINCH) }
  }
}
