import Core

/// What is known, as records.
extension Standing {
  /// The swarms, by id; of those whose members are not all, `counts` holds how many agents they have.
  func records(
    of swarms: [WatchedSwarm], members: [WatchedAgent], counts: [String: Int] = [:]
  ) -> [Swarm] {
    let members = Dictionary(grouping: members) { $0.swarmId ?? "" }
    return swarms.map { $0.record(members[$0.id] ?? [], of: counts[$0.id], at: now) }
      .sorted { $0.id < $1.id }
  }

  /// The agents, by id, without those that stand for a swarm's run.
  func records(of agents: [WatchedAgent]) -> [Agent] {
    agents.filter { !$0.isRun }.map { $0.record(at: now) }.sorted { $0.id < $1.id }
  }

  /// The incidents, the newest first.
  static func records(of incidents: [WatchedIncident]) -> [Incident] {
    incidents.map(\.record).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// The contexts, the fullest first.
  static func records(
    of sessions: [WatchedSession], thresholds: Thresholds
  ) -> [ContextHealth] {
    sessions.sorted { ($1.fullness ?? 0, $0.id) < ($0.fullness ?? 0, $1.id) }
      .map { $0.record(thresholds) }
  }

  /// The skills over a time, those that fail most first.
  func records(
    of skills: [WatchedSkill], _ window: SkillHealth.Window, thresholds: Thresholds
  ) -> [SkillHealth] {
    skills.map { $0.record(window, thresholds, at: now) }
      .sorted { ($1.errorRate ?? -1, $0.skillId) < ($0.errorRate ?? -1, $1.skillId) }
  }

  /// A swarm and its agents; nil where nobody has heard of it.
  func swarm(
    _ id: String, _ state: WatchedState
  ) throws(Failure) -> (swarm: Swarm, members: [WatchedAgent])? {
    guard let swarm = try state.named(WatchedSwarm.self, id) else { return nil }
    // Agents without a swarm are those of the one without a name.
    let all = try state.documents(WatchedAgent.self, id.isEmpty ? .all : .below(swarm.id))
    let members = all.filter { ($0.swarmId ?? "") == swarm.id }
    return (try state.withName(swarm).record(members, at: now), members)
  }
}

extension WatchedState {
  /// The swarm; if it reported no name, with that of its pipeline's project, which events do not hold.
  func withName(_ swarm: WatchedSwarm) throws(Failure) -> WatchedSwarm {
    guard swarm.name == nil else { return swarm }
    var swarm = swarm
    swarm.name = try tables.project(ofPipeline: swarm.id)
    return swarm
  }

  /// The whole id of a swarm that is named by a part of it; else the part.
  func wholeId(ofSwarm part: String?) throws(Failure) -> String? {
    guard let part else { return nil }
    return try named(WatchedSwarm.self, part)?.id ?? part
  }

  /// The document that somebody names, by a part of its id too, and in letters composed in another way.
  func named<Document: WatchedDocument>(
    _ type: Document.Type, _ id: String
  ) throws(Failure) -> Document? {
    if let document = try document(type, id) { return document }
    let all = try documents(type)
    // All of ASCII is composed in one way.
    if !id.utf8.allSatisfy({ $0 < 0x80 }), let same = all.first(where: { $0.id == id }) {
      return same
    }
    let whole = try IdPart.whole(id, among: all.lazy.map(\.id), Document.kind)
    return try whole.flatMap { (id) throws(Failure) in try document(type, id) }
  }
}
