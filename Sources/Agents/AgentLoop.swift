import Core
import Events
import Foundation
import Processes
import Requests

/// Waits for what happens to a command until it has ended and its output was passed on.
struct AgentLoop {
  let command: CommandProcess
  var terminal: JobTerminal
  let relays: [OutputRelay]
  let events: AgentEvents
  let controls: any AgentControls
  let inbox: Inbox<AgentMessage>
  let heartbeat: Double
  let guardian: Guardian
  let note: Note

  var isStopped = false
  /// Whether a control paused it: nothing but a control resumes it then.
  var isHeld = false
  /// Controls to pause and to resume that are not yet done, in the order they came.
  var stops: [PendingControl] = []
  /// Controls to terminate.
  var terminations: [PendingControl] = []
  /// The end of the time in which processes of the group may stop for the terminal after the group
  /// got it; nil if nothing asked for the terminal.
  var lateStops: ContinuousClock.Instant?
  /// When the group is killed.
  var patience: ContinuousClock.Instant?
  private(set) var ending: ProcessEnding?
  private var streamsLeft: Int
  private var firstSignal: ContinuousClock.Instant?
  /// `true` once a second signal killed the command.
  private var wasKilled = false
  private var isAbandoned = false

  /// How long a group that was told to end may take.
  static let grace: Duration = .seconds(5)
  /// Signals by which one wishes that a command ends.
  private static let wishes = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Signals that come together are one wish: timeout(1) sends two.
  private static let together: Duration = .milliseconds(500)
  /// Nobody tells a process in the background that its terminal has another size.
  private static let sizeCheck: Duration = .milliseconds(250)

  init(
    command: CommandProcess, terminal: JobTerminal, relays: [OutputRelay], events: AgentEvents,
    controls: any AgentControls, inbox: Inbox<AgentMessage>, heartbeat: Double, guardian: Guardian,
    note: @escaping Note
  ) {
    self.command = command
    self.terminal = terminal
    self.relays = relays
    self.events = events
    self.controls = controls
    self.inbox = inbox
    self.heartbeat = heartbeat
    self.guardian = guardian
    self.note = note
    streamsLeft = relays.count
  }

  /// How the run stands, or how it ended.
  var status: AgentStatus {
    guard let ending else { return isStopped ? .paused : .running }
    guard terminations.isEmpty else { return .terminated }
    switch ending {
    case .status(0): return .finished
    case .signal(SIGPIPE) where relays.contains { $0.isUnread }: return .finished
    case .signal(SIGINT), .signal(SIGTERM), .signal(SIGHUP): return .terminated
    default: return .error
    }
  }

  /// Waits for the end.
  mutating func run() -> ProcessEnding {
    var nextHeartbeat = ContinuousClock.now + .seconds(heartbeat)
    while true {
      if let ending, isDone { return ending }
      var next = nextHeartbeat
      if let patience { next = min(next, patience) }
      if lateStops != nil || relays.contains(where: \.isTerminal) {
        next = min(next, .now + Self.sizeCheck)
      }
      if let message = inbox.next(until: next) { handle(message) }
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
    }
  }

  private var isDone: Bool {
    isAbandoned || streamsLeft == 0 && (terminations.isEmpty || isGone)
  }

  /// Whether all that the command started has ended.
  private var isGone: Bool { !command.groupIsThere && strays.isEmpty }

  /// Processes of the command that have left its group.
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
    }
  }

  private mutating func commandChanged(_ status: Int32) {
    // As WIFCONTINUED and WIFSTOPPED of wait(2), which are macros.
    if status == 0xFFFF {
      // Another process may have continued it.
      giveTerminalAgain()
      set(isStopped: false)
    } else if status & 0xFF == 0x7F {
      stopped(by: (status >> 8) & 0xFF)
    } else {
      ending = ProcessEnding(waitStatus: status)
      isStopped = false
      terminal.takeBack(from: command.id)
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
      // Other signals may mean anything to a command, and as often as one likes.
      guard Self.wishes.contains(number) else { return command.signal(number) }
      if let firstSignal, firstSignal + Self.together <= .now {
        if !wasKilled { note("received a second signal: killing the command") }
        wasKilled = true
        command.signal(SIGKILL)
        return
      }
      firstSignal = firstSignal ?? .now
      command.signal(number)
      // Who is stopped would not end before it goes on.
      if isStopped {
        isHeld = false
        resumeJob()
      }
    }
  }

  private func followSize() {
    guard ending == nil else { return }
    // Every terminal is made right, not the first alone.
    let changed = relays.map { $0.copySize() }
    if changed.contains(true) { command.signal(SIGWINCH) }
  }
}
