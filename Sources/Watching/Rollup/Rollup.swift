import Core
import Events

/// Folds events into what is known of swarms, agents, conversations, skills and incidents.
///
/// The same log comes to the same, however it is cut into pieces.
struct Rollup {
  private var agents = DocumentCache<WatchedAgent>()
  private var swarms = DocumentCache<WatchedSwarm>()
  private var sessions = DocumentCache<WatchedSession>()
  private var skills = DocumentCache<WatchedSkill>()
  private var calls = DocumentCache<WatchedCall>()
  private var gates = DocumentCache<WatchedGate>()
  /// The incidents that go on, by fingerprint.
  private var incidents: [String: WatchedIncident] = [:]
  private var changedIncidents: Set<String> = []
  private var closed: [WatchedIncident] = []
  /// How many go on of each place that errors come from.
  private var places: [String: Int] = [:]
  /// Events to keep, by incident.
  private var kept: [String: [WatchedEvent]] = [:]

  /// Of one place no more incidents than this go on; what else comes there is one more.
  private static let mostIncidents = 50
  /// Of all places, no more than this.
  private static let mostOfAll = 2000
  /// Longer events are not kept with an incident.
  private static let longestKept = 65_536

  /// The fingerprints of those that go on, by the agent, or else the swarm, that they are about.
  private var byOwner: [String: Set<String>] = [:]

  private let thresholds: Thresholds

  /// Begins with the incidents that go on.
  init(_ state: WatchedState) throws(Failure) {
    thresholds = try Thresholds(state)
    for incident in try state.documents(WatchedIncident.self, parent: WatchedIncident.open) {
      incidents[incident.fingerprint] = incident
      places[incident.place, default: 0] += 1
      byOwner[incident.owner, default: []].insert(incident.fingerprint)
    }
  }

  /// Takes an event in.
  mutating func take(_ event: WatchedEvent, _ state: WatchedState) throws(Failure) {
    // What is told of what was noticed is no work of those whom it is about.
    guard event.type != Alert.type else { return }
    if let id = event.agentId {
      // Who was asked something has not done anything yet.
      if event.type == Control.type {
        try agents.change(id, in: state) { $0.take(event) }
      } else {
        try agents.change(id, in: state, new: WatchedAgent(id: id, heardAt: event.loggedAt)) {
          $0.take(event)
        }
      }
    }
    if let id = event.swarmId {
      try swarms.change(id, in: state, new: WatchedSwarm(id: id, updatedAt: event.loggedAt)) {
        $0.take(event)
      }
    }
    if event.type == ApprovalGate.type, let id = event.gateId {
      try gates.change(id, in: state, new: WatchedGate(id: id, event)) { $0.take(event) }
    }
    if event.isTrace {
      try takeModelCall(event, state)
      try takeSkillCall(event, state)
    }
    takeIncident(event)
  }

  /// Keeps what changed.
  mutating func save(to state: WatchedState) throws(Failure) {
    try agents.save(to: state)
    try swarms.save(to: state)
    try sessions.save(to: state)
    try skills.save(to: state)
    try calls.save(to: state)
    try gates.save(to: state)
    for fingerprint in changedIncidents {
      if let incident = incidents[fingerprint] { try state.save(incident) }
    }
    changedIncidents = []
    for incident in closed { try state.save(incident) }
    closed = []
    for (id, events) in kept {
      try state.keep(
        events.map { ($0.sequence, $0.line) }, incident: id, last: WatchedIncident.keptEvents)
    }
    kept = [:]
  }

  private mutating func takeModelCall(
    _ event: WatchedEvent, _ state: WatchedState
  ) throws(Failure) {
    guard event.isModelCall, let agent = event.agentId, let id = event.sessionId ?? event.agentId
    else { return }
    try sessions.change(id, in: state, new: WatchedSession(id: id, agentId: agent, updatedAt: 0)) {
      $0.take(event)
    }
  }

  private mutating func takeSkillCall(
    _ event: WatchedEvent, _ state: WatchedState
  ) throws(Failure) {
    guard let skill = event.skillId, event.phase != .progress else { return }
    let failed = event.has(.errorType)
    guard let span = event.spanId, let phase = event.phase else {
      return try end(
        skill, failed, event.number(.durationMilliseconds), at: event.at, state)
    }
    let id = "\(event.agentId ?? "") \(span)"
    // Of a span's two ends the later to come finds the earlier, whichever that is.
    var call =
      try calls.find(id, in: state)
      ?? WatchedCall(id: id, skillId: skill, updatedAt: event.loggedAt)
    if phase == .start {
      guard call.startedAt == nil else { return }
      call.startedAt = event.at
      calls.set(call)
      guard let ended = call.endedAt, !call.isTimed else { return }
      return try skills.change(call.skillId, in: state) {
        $0.window.addLatency(Double(max(0, ended - event.at)), at: ended)
      }
    }
    guard call.endedAt == nil else { return }
    call.endedAt = event.at
    let latency =
      event.number(.durationMilliseconds)
      ?? call.startedAt.map { Double(max(0, event.at - $0)) }
    call.isTimed = latency != nil
    try end(call.skillId, failed, latency, at: event.at, state)
    calls.set(call)
  }

  private mutating func end(
    _ id: String, _ failed: Bool, _ milliseconds: Double?, at: Int64,
    _ state: WatchedState
  ) throws(Failure) {
    try skills.change(id, in: state, new: WatchedSkill(id: id, updatedAt: at)) { skill in
      skill.updatedAt = max(skill.updatedAt, at)
      skill.window.add(failed: failed, milliseconds: milliseconds, at: at)
    }
  }

  private mutating func takeIncident(_ event: WatchedEvent) {
    var mine: String?
    if let level = event.level, level >= .error {
      var fingerprint = event.fingerprint
      if incidents[fingerprint] == nil, places[event.place, default: 0] >= Self.mostIncidents {
        fingerprint = event.place
      }
      if incidents[fingerprint] == nil, incidents.count >= Self.mostOfAll { fingerprint = "" }
      // It was over before, though nobody has looked since.
      if var over = incidents[fingerprint], over.quietEnd(thresholds) <= event.loggedAt {
        over.close(at: over.quietEnd(thresholds), by: WatchedIncident.quietCloser)
        closed.append(over)
        byOwner[over.owner]?.remove(fingerprint)
        incidents[fingerprint] = nil
        places[event.place, default: 1] -= 1
      }
      if incidents[fingerprint] == nil {
        let incident = WatchedIncident(event, fingerprint: fingerprint)
        incidents[fingerprint] = incident
        places[event.place, default: 0] += 1
        byOwner[incident.owner, default: []].insert(fingerprint)
      }
      incidents[fingerprint]?.take(event)
      changedIncidents.insert(fingerprint)
      mine = fingerprint
    }
    guard event.line.utf8.count <= Self.longestKept else { return }
    var concerned = mine.map { Set([$0]) } ?? []
    for owner in WatchedIncident.owners(of: event) { concerned.formUnion(byOwner[owner] ?? []) }
    for incident in concerned.compactMap({ incidents[$0] }) {
      kept[incident.id, default: []].append(event)
      // Twice as many are let come before the oldest go, which moves all others.
      if kept[incident.id, default: []].count >= 2 * WatchedIncident.keptEvents {
        kept[incident.id]?.removeFirst(WatchedIncident.keptEvents)
      }
    }
  }
}
