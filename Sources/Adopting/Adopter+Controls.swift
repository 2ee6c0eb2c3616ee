import CodingAgents
import Core
import Events
import Foundation
import Processes
import Requests

/// The controls of sessions.
extension Adopter {
  /// A request to end a process that has not ended yet.
  struct Termination {
    var control: PendingControl
    var key: SessionKey
    var identity: ProcessIdentity
    /// The time at which the process is killed.
    var end: ContinuousClock.Instant
  }

  /// The time that a process has to end.
  private static let grace = Duration.seconds(5)
  /// The requester of pauses that thresholds require.
  private static let threshold = "threshold"

  func openControls() throws(Failure) -> any AdoptedControls {
    let inbox = inbox
    guard let hub = options.hub else {
      return try StoredAdoptedControls(directories, lock: Self.lock, report: report) {
        inbox.add($0)
      }
    }
    return HubAdoptedControls(hub, report: report) { inbox.add($0) }
  }

  /// Registers the session as an agent that receives controls, also if it refuses them.
  func addRunner(_ session: AdoptedSession) {
    guard let controls, runners[session.key] == nil, !session.isReportedElsewhere else { return }
    let runner = Runner(
      agentId: session.agentId, swarmId: session.run?.swarmId, sessionId: session.key.id,
      lock: Self.lock)
    runners[session.key] = runner
    controls.add(runner)
  }

  /// Unregisters the session.
  func removeRunner(_ key: SessionKey) {
    guard let runner = runners.removeValue(forKey: key) else { return }
    controls?.remove(runner)
  }

  /// Carries out the controls that have arrived.
  func carryOutControls() throws(Failure) {
    for control in inbox.take() {
      guard let session = openSessions.first(where: { $0.agentId == control.agentId }) else {
        answer(control, .refused, "its process has ended")
        continue
      }
      carryOut(control, session)
    }
    settlePauses()
    settleTerminations()
  }

  private func carryOut(_ control: PendingControl, _ session: AdoptedSession) {
    settlePauses(of: session.key)
    finder.refresh([session.key.agent], guessing: false)
    let sought = ProcessFinder.Sought(session)
    let process = finder.processes(of: [sought])[session.key] ?? .none
    processes[session.key] = process
    // A look at all sessions finds that it has ended.
    if process.identity == nil { nextWholeLook = .now }
    if let refusal = process.refusal { return answer(control, .refused, refusal) }
    guard let identity = process.identity else { return answer(control, .refused, nil) }
    if control.action == .pause, control.actor == Self.threshold, process.hasTerminal {
      return answer(
        control, .refused, "it is an interactive session, which a threshold does not pause")
    }
    switch control.action {
    case .pause: pause(control, session, identity, inTerminal: process.hasTerminal)
    case .resume: go(control, session, identity, inTerminal: process.hasTerminal)
    case .terminate: terminate(control, session, identity)
    }
  }

  /// Sends a signal to the given process if it still belongs to the given session.
  func send(
    _ number: Int32, _ identity: ProcessIdentity, of key: SessionKey
  ) -> ProcessSignal.Outcome {
    guard let session = sessions[key] else { return .refused }
    return ProcessSignal.send(number, to: identity, in: finder.table) {
      // A process that was told to end leaves its session first.
      finder.confirms(identity, of: ProcessFinder.Sought(session))
        || number == SIGKILL && finder.hasLeft(identity, key.agent)
    }
  }

  private func terminate(
    _ control: PendingControl, _ session: AdoptedSession, _ identity: ProcessIdentity
  ) {
    guard send(SIGTERM, identity, of: session.key) == .sent else {
      return answer(control, .refused, "its process has ended")
    }
    // A stopped process does not end until it continues.
    thaw(identity)
    _ = send(SIGCONT, identity, of: session.key)
    terminations.append(
      Termination(
        control: control, key: session.key, identity: identity, end: .now + Self.grace))
  }

  /// Reports the ends of processes that were to end, and kills those that have not.
  func settleTerminations() {
    for (index, termination) in terminations.enumerated().reversed() {
      let entry = finder.table.entry(termination.identity.id)
      if let entry, entry.identity == termination.identity, !entry.hasEnded {
        guard termination.end <= .now else { continue }
        terminations[index].end = .now + .seconds(1)
        guard send(SIGKILL, termination.identity, of: termination.key) == .refused else { continue }
        terminations.remove(at: index)
        answer(termination.control, .refused, "its process has left the session and still runs")
        continue
      }
      terminations.remove(at: index)
      if var session = sessions[termination.key], session.run != nil {
        let events = session.end(.terminated, at: .now)
        commit(session, events)
        queue.flush(within: 2)
      }
      answer(termination.control, .applied, nil)
      removeRunner(termination.key)
    }
  }

  func set(_ status: AgentStatus, _ session: AdoptedSession) {
    var session = session
    let process = processes[session.key]?.certainty.rawValue ?? ""
    let events = session.set(status, isHeartbeat: false, at: .now, process: process)
    commit(session, events)
    // The log must show the new state before the outcome is reported.
    if queue.flush(within: 2) { sink.settle(within: 2) }
  }

  func answer(_ control: PendingControl, _ outcome: ControlOutcome, _ note: String?) {
    guard let event = controls?.answer(control, outcome, note: note) else { return }
    queue.add([event])
  }
}
