import Core
import Events
import Foundation
import Processes
import Requests

/// The wait of an agent for the reset of a usage limit.
///
/// No command runs meanwhile. The agent can be paused, resumed and terminated.
struct LimitWait {
  /// The time at which the limit is reset.
  let end: Timestamp
  let events: AgentEvents
  let controls: any AgentControls
  let inbox: Inbox<AgentMessage>
  let heartbeat: Double

  /// `true` if a control paused the agent.
  ///
  /// The wait then continues until the agent is resumed.
  private var isHeld = false
  /// The controls that ended the wait.
  private(set) var terminations: [PendingControl] = []

  init(
    until end: Timestamp, events: AgentEvents, controls: any AgentControls,
    inbox: Inbox<AgentMessage>, heartbeat: Double
  ) {
    (self.end, self.events, self.controls) = (end, events, controls)
    (self.inbox, self.heartbeat) = (inbox, heartbeat)
  }

  /// Waits.
  ///
  /// - Returns: nil after the reset; the ending of the run if a control or a signal ended it.
  mutating func run() -> ProcessEnding? {
    stands(isHeartbeat: false)
    var nextHeartbeat = ContinuousClock.now + .seconds(heartbeat)
    while true {
      let left = end.seconds(since: .now)
      if left <= 0, !isHeld { return nil }
      // The time of day may be changed meanwhile, so it is read at each heartbeat.
      let next = isHeld ? nextHeartbeat : min(nextHeartbeat, .now + .seconds(left))
      if let message = inbox.next(until: next), let ending = handle(message) { return ending }
      if nextHeartbeat <= .now {
        stands(isHeartbeat: true)
        nextHeartbeat = .now + .seconds(heartbeat)
      }
    }
  }

  private func stands(isHeartbeat: Bool) {
    events.stands(
      isHeld ? .paused : .waiting, isHeartbeat: isHeartbeat, until: isHeld ? nil : end)
  }

  private mutating func handle(_ message: AgentMessage) -> ProcessEnding? {
    switch message {
    case .control(let control): return carryOut(control)
    case .signal(SIGWINCH), .signal(SIGCONT), .signal(SIGTTOU): return nil
    case .signal(SIGTSTP):
      events.write()
      HeldLocks.stopProcess()
      return nil
    case .signal(let number): return .signal(number)
    case .child, .streamEnded, .personIsAsked: return nil
    }
  }

  private mutating func carryOut(_ control: PendingControl) -> ProcessEnding? {
    guard control.action != .terminate else {
      terminations.append(control)
      return .signal(SIGTERM)
    }
    isHeld = control.action == .pause
    stands(isHeartbeat: false)
    // The log must show the new state before the outcome is reported.
    events.flush()
    controls.answer(control, .applied)
    return nil
  }
}
