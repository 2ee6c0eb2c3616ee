import Core
import Events

/// A fold of events into the watched state: swarms, agents, conversations, skills and incidents.
///
/// The same log results in the same state, however it is divided into batches.
struct Rollup {
  let state: WatchedState
  private let thresholds: Thresholds
  private var incidents: OpenIncidents
  /// The events that must be stored with incidents, by incident ID.
  private var kept: [String: [WatchedEvent]] = [:]

  /// The maximum length in bytes of an event that is stored with an incident.
  private static let longestKept = 65_536

  /// Creates a fold that starts with the given stored state.
  init(_ state: WatchedState) throws(Failure) {
    self.state = state
    thresholds = try Thresholds(state)
    incidents = try state.openIncidents()
    // A second owner would cause a copy at the first change.
    state.setOpenIncidents(nil)
  }

  /// Folds the given event into the state.
  mutating func fold(_ event: WatchedEvent) throws(Failure) {
    // An alert is not an activity of its subject.
    guard event.type != Alert.type else { return try foldAlert(event) }
    if let id = event.agentId {
      // A control that is sent to an agent is not an activity of the agent.
      if event.type == Control.type {
        try state.change(WatchedAgent.self, id) { $0.fold(event) }
      } else {
        try state.change(id, new: WatchedAgent(id: id, heardAt: event.loggedAt)) { $0.fold(event) }
      }
    }
    if let id = event.swarmId {
      try state.change(id, new: WatchedSwarm(id: id, updatedAt: event.loggedAt)) {
        $0.fold(event)
      }
    }
    if event.type == ApprovalGate.type, let id = event.gateId {
      try state.change(id, new: WatchedGate(id: id, event)) { $0.fold(event) }
    }
    if event.isTrace {
      try foldModelCall(event)
      try foldSkillCall(event)
      try foldUsage(event)
    } else if let point = UsagePoint(event) {
      try count(point, of: event)
    }
    foldIncident(event)
  }

  /// Stores the open incidents, and the collected events of incidents.
  func finish() throws(Failure) {
    for (id, events) in kept {
      try state.tables.store(
        events.map { ($0.sequence, $0.line) }, ofIncident: id, last: WatchedIncident.keptEvents)
    }
    state.setOpenIncidents(incidents)
  }

  private func foldModelCall(_ event: WatchedEvent) throws(Failure) {
    // A coding agent may report the size of its context after all calls.
    if event.isRun, let session = event.sessionId, event.number(.maxContextTokens) != nil {
      try state.change(WatchedSession.self, session) { $0.foldSize(event) }
    }
    guard event.isModelCall, let agent = event.agentId, let id = event.sessionId ?? event.agentId
    else { return }
    try state.change(id, new: WatchedSession(id: id, agentId: agent, updatedAt: 0)) {
      $0.fold(event)
    }
  }

  private func foldSkillCall(_ event: WatchedEvent) throws(Failure) {
    guard let skill = event.skillId, event.phase != .progress else { return }
    guard let span = event.spanId, let phase = event.phase else {
      return try end(skill, by: event, milliseconds: event.number(.durationMilliseconds))
    }
    let id = "\(event.agentId ?? "") \(span)"
    // The end of a span may arrive before its start. Either completes the other.
    var call =
      try state.document(WatchedCall.self, id)
      ?? WatchedCall(id: id, skillId: skill, updatedAt: event.loggedAt)
    if phase == .start {
      guard call.startedAt == nil else { return }
      call.startedAt = event.at
      state.set(call)
      guard let ended = call.endedAt, !call.isTimed else { return }
      return try state.change(WatchedSkill.self, call.skillId) {
        $0.window.addLatency(Double(max(0, ended - event.at)), at: ended)
      }
    }
    guard call.endedAt == nil else { return }
    call.endedAt = event.at
    let latency =
      event.number(.durationMilliseconds)
      ?? call.startedAt.map { Double(max(0, event.at - $0)) }
    call.isTimed = latency != nil
    try end(call.skillId, by: event, milliseconds: latency)
    state.set(call)
  }

  private func end(
    _ id: String, by event: WatchedEvent, milliseconds: Double?
  ) throws(Failure) {
    try state.change(id, new: WatchedSkill(id: id, updatedAt: event.at)) { skill in
      skill.updatedAt = max(skill.updatedAt, event.at)
      skill.window.add(
        failed: event.has(.errorType), milliseconds: milliseconds, at: event.at)
    }
  }

  private mutating func foldIncident(_ event: WatchedEvent) {
    var concerned: Set<String> = []
    if let level = event.level, level >= .error {
      let fingerprint = incidents.fingerprint(of: event)
      // The incident ended earlier, but no check has run since.
      if var over = incidents[fingerprint], over.quietEnd(thresholds) <= event.loggedAt {
        incidents.remove(over)
        over.close(at: over.quietEnd(thresholds), by: WatchedIncident.quietCloser)
        state.set(over)
      }
      var incident: WatchedIncident
      if let known = incidents[fingerprint] {
        incident = known
      } else {
        incident = WatchedIncident(event, fingerprint: fingerprint)
        incidents.add(incident)
      }
      incident.fold(event)
      incidents.update(incident)
      state.set(incident)
      concerned = [fingerprint]
    }
    if event.type == Control.type, event.outcome == .applied { foldControl(event) }
    guard event.length <= Self.longestKept else { return }
    for owner in WatchedIncident.owners(of: event) {
      concerned.formUnion(incidents.fingerprints(ofOwner: owner))
    }
    for incident in concerned.compactMap({ incidents[$0] }) { store(event, with: incident.id) }
  }

  /// Folds the given alert into its incident.
  private mutating func foldAlert(_ event: WatchedEvent) throws(Failure) {
    guard let id = event.incidentId, var incident = try state.document(WatchedIncident.self, id),
      incident.alertedAt == nil
    else { return }
    incident.alertedAt = event.loggedAt
    if incident.closedAt == nil { incidents.update(incident) }
    state.set(incident)
  }

  /// Folds the given control into the open incidents of its agent or swarm.
  private mutating func foldControl(_ event: WatchedEvent) {
    for owner in WatchedIncident.owners(of: event) {
      for fingerprint in incidents.fingerprints(ofOwner: owner) {
        guard var incident = incidents[fingerprint], incident.firstControlAt == nil else {
          continue
        }
        incident.firstControlAt = event.loggedAt
        incidents.update(incident)
        state.set(incident)
      }
    }
  }

  private mutating func store(_ event: WatchedEvent, with incident: String) {
    kept[incident, default: []].append(event)
    // A removal moves all other events, so it waits for twice as many.
    if kept[incident, default: []].count >= 2 * WatchedIncident.keptEvents {
      kept[incident]?.removeFirst(WatchedIncident.keptEvents)
    }
  }
}
