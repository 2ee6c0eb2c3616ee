import Core
import Foundation
import Requests

/// The check that compares the watched state with the thresholds of alerts.
struct AlertCheck {
  private let thresholds: Thresholds
  private let now: Int64
  private var matters: [String: Alert] = [:]

  /// Runs all checks, and stores the current alerts.
  ///
  /// Incidents that have been quiet for long are closed.
  static func run(_ state: WatchedState, at now: Int64) throws(Failure) {
    var check = AlertCheck(thresholds: try Thresholds(state), now: now)
    try check.incidents(state)
    try check.gates(state)
    try check.sessions(state)
    try check.skills(state)
    try check.swarms(state)
    try check.settle(state)
  }

  private init(thresholds: Thresholds, now: Int64) {
    self.thresholds = thresholds
    self.now = now
  }

  private mutating func incidents(_ state: WatchedState) throws(Failure) {
    for var incident in try state.documents(WatchedIncident.self, .below(WatchedIncident.open)) {
      let end = incident.quietEnd(thresholds)
      if end <= now {
        incident.close(at: end, by: WatchedIncident.quietCloser)
        state.settle(incident)
        continue
      }
      let most = thresholds.value(.incident, incident.swarmId)
      guard
        incident.severity >= .critical || incident.isDeath ?? false
          || Double(incident.count) >= most
      else { continue }
      raise(.incident, of: incident.id, incident.severity, incident.summary) { alert in
        alert.incidentId = incident.id
        alert.swarmId = incident.swarmId
        alert.agentId = incident.agentId
        alert.skillId = incident.skillId
        alert.value = Double(incident.count)
        alert.threshold = most
      }
    }
  }

  private mutating func gates(_ state: WatchedState) throws(Failure) {
    for gate in try state.documents(WatchedGate.self, .live(at: now)) {
      let waited = Double(now - gate.openedAt) / 1000
      let most = thresholds.value(.approvalGate, gate.id)
      guard waited >= most else { continue }
      let name = gate.requestedBy.map { Visible.line(String($0.prefix(60))) }
      let asker = name.map { " (asked by \($0))" } ?? ""
      raise(.approvalGate, of: gate.id, .warn, "a gate waits: \(gate.summary)\(asker)") { alert in
        alert.gateId = gate.id
        alert.agentId = gate.agentId
        alert.swarmId = gate.swarmId
        alert.threshold = most
      }
    }
  }

  private mutating func sessions(_ state: WatchedState) throws(Failure) {
    let concerning = WatchedTables.Choice.measuring(
      fullness: thresholds.least(.contextCapacity), redundancy: thresholds.least(.redundancySpike))
    for session in try state.documents(WatchedSession.self, concerning) {
      let capacity = thresholds.value(.contextCapacity, session.id)
      if let fullness = session.fullness, fullness >= capacity {
        raise(
          .contextCapacity, of: session.id, .warn,
          "the context of \(try name(session.agentId, state)) is \(Self.percent(fullness)) full"
        ) { Self.fill(&$0, of: session, value: fullness, threshold: capacity) }
      }
      let most = thresholds.value(.redundancySpike, session.id)
      if let redundancy = session.redundancy, redundancy >= most {
        raise(
          .redundancySpike, of: session.id, .warn,
          "\(Self.percent(redundancy)) of the input of \(try name(session.agentId, state)) was read before"
        ) { Self.fill(&$0, of: session, value: redundancy, threshold: most) }
      }
    }
  }

  /// Returns a readable name for the given agent.
  ///
  /// If its ID is a UUID, the name is the agent's task. Otherwise it is the ID.
  private func name(_ agentId: String, _ state: WatchedState) throws(Failure) -> String {
    guard UUID(uuidString: agentId) != nil,
      let task = try state.document(WatchedAgent.self, agentId)?.task
    else { return "'\(Visible.line(agentId))'" }
    return "'\(Visible.line(String(task.prefix(60))))' (\(agentId.suffix(8)))"
  }

  private static func fill(
    _ alert: inout Alert, of session: WatchedSession, value: Double, threshold: Double
  ) {
    alert.sessionId = session.id
    alert.agentId = session.agentId
    alert.swarmId = session.swarmId
    alert.value = value
    alert.threshold = threshold
  }

  private mutating func skills(_ state: WatchedState) throws(Failure) {
    // A skill without recent calls is not failing now.
    for skill in try state.documents(WatchedSkill.self, .changed(since: now - 660_000)) {
      let most = thresholds.value(.skillFailure, skill.id)
      guard skill.isSpiking(at: now, threshold: most),
        let rate = skill.recentErrorRate(at: now)
      else { continue }
      raise(
        .skillFailure, of: skill.id, .error,
        "\(Self.percent(rate)) of the calls of '\(Visible.line(skill.id))' fail"
      ) { alert in
        alert.skillId = skill.id
        alert.value = rate
        alert.threshold = most
      }
    }
  }

  /// The minimum number of events from which a rate is computed.
  private static let fewestEvents = 10

  private mutating func swarms(_ state: WatchedState) throws(Failure) {
    for swarm in try state.documents(WatchedSwarm.self, .changed(since: now - 310_000)) {
      let most = thresholds.value(.swarmDegraded, swarm.id)
      let rate = swarm.window.errorRate(at: now)
      let name = Visible.line(swarm.name ?? swarm.id)
      if rate >= most, rate > 0,
        swarm.window.counts(seconds: 300, at: now).events >= Self.fewestEvents
      {
        raise(
          .swarmDegraded, of: swarm.id, .error,
          "\(Self.percent(rate)) of the events of '\(name)' are errors"
        ) { alert in
          alert.swarmId = swarm.id
          alert.value = rate
          alert.threshold = most
        }
      }
      try budget(swarm.id, name, state)
    }
    for agent in try state.documents(WatchedAgent.self, .live(at: now)) {
      let most = thresholds.value(.stuckAgents, agent.id)
      let beats = agent.idleBeats(at: now)
      let isLost = agent.status(at: now) == .lost
      // The stages do the work of a run, so only a run's heartbeat is checked.
      guard isLost || beats >= most && !agent.isRun else { continue }
      let name = try name(agent.id, state)
      raise(
        .stuckAgents, of: agent.id, .error,
        isLost
          ? "no more events from \(name)"
          : "\(name) has done nothing for \(Int(min(beats, 1e9))) heartbeats"
      ) { alert in
        alert.agentId = agent.id
        alert.swarmId = agent.swarmId
        alert.value = isLost ? nil : beats.rounded(.down)
        alert.threshold = most
      }
    }
  }

  /// Compares the cost and the number of the agents of the given swarm with its thresholds.
  ///
  /// A threshold of 0 is no limit. An agent without a known cost counts as free.
  private mutating func budget(
    _ id: String, _ name: String, _ state: WatchedState
  ) throws(Failure) {
    let cost = thresholds.value(.swarmCost, id)
    let most = thresholds.value(.swarmAgents, id)
    guard cost > 0 || most > 0 else { return }
    let agents = try state.documents(WatchedAgent.self, .below(id)).filter { !$0.isRun }
    let spent = agents.reduce(0) { $0 + ($1.costUSD ?? 0) }
    let active = Double(agents.count { $0.status(at: now).isActive })
    if cost > 0, spent >= cost {
      let words = "'\(name)' has spent \(String(format: "%.2f", spent)) dollars"
      raise(.swarmCost, of: id, .error, words) { alert in
        (alert.swarmId, alert.value, alert.threshold) = (id, spent, cost)
      }
    }
    if most > 0, active >= most {
      raise(.swarmAgents, of: id, .warn, "'\(name)' has \(Int(active)) active agents") { alert in
        (alert.swarmId, alert.value, alert.threshold) = (id, active, most)
      }
    }
  }

  private mutating func raise(
    _ kind: Alert.Kind, of id: String, _ severity: Log.Level, _ summary: String,
    fill: (inout Alert) -> Void
  ) {
    var alert = Alert(ts: now, kind: kind, severity: severity, summary: summary)
    fill(&alert)
    alert.srcId = "alert:\(kind.rawValue):\(id):\(now)"
    matters["\(kind.rawValue):\(id)"] = alert
  }

  /// Raises new alerts, and clears those that no longer apply.
  ///
  /// A cleared alert can be raised again.
  private func settle(_ state: WatchedState) throws(Failure) {
    var known: [String: WatchedAlert] = [:]
    for alert in try state.documents(WatchedAlert.self, .live(at: now)) { known[alert.id] = alert }
    for (id, alert) in matters where known[id]?.isRaised != true {
      state.set(
        WatchedAlert(id: id, raisedAt: now, isRaised: true, isTold: false, alert: alert))
    }
    for var alert in known.values where alert.isRaised && matters[alert.id] == nil {
      alert.isRaised = false
      state.set(alert)
    }
  }

  private static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
}
