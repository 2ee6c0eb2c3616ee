import Core

/// Conversions of watched documents to records.
extension Standing {
  /// Returns the given swarms as records, sorted by ID.
  ///
  /// If `members` lacks agents of a swarm, `counts` contains the number of its agents.
  func records(
    of swarms: [WatchedSwarm], members: [WatchedAgent], counts: [String: Int] = [:]
  ) -> [Swarm] {
    let members = Dictionary(grouping: members) { $0.swarmId ?? "" }
    return swarms.map { $0.record(members[$0.id] ?? [], of: counts[$0.id], at: now) }
      .sorted { $0.id < $1.id }
  }

  /// Returns the given agents as records, sorted by ID.
  ///
  /// Agents that represent the run of a swarm are omitted.
  func records(of agents: [WatchedAgent]) -> [Agent] {
    agents.filter { !$0.isRun }.map { $0.record(at: now) }.sorted { $0.id < $1.id }
  }

  /// Returns the given incidents as records, the newest first.
  static func records(of incidents: [WatchedIncident]) -> [Incident] {
    incidents.map(\.record).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// Returns the given contexts as records, the fullest first.
  static func records(
    of sessions: [WatchedSession], thresholds: Thresholds
  ) -> [ContextHealth] {
    sessions.sorted { ($1.fullness ?? 0, $0.id) < ($0.fullness ?? 0, $1.id) }
      .map { $0.record(thresholds) }
  }

  /// Returns the results of the given skills in the given time window.
  ///
  /// The skill with the highest error rate comes first.
  func records(
    of skills: [WatchedSkill], _ window: SkillHealth.Window, thresholds: Thresholds
  ) -> [SkillHealth] {
    skills.map { $0.record(window, thresholds, at: now) }
      .sorted { ($1.errorRate ?? -1, $0.skillId) < ($0.errorRate ?? -1, $1.skillId) }
  }

  /// Returns the swarm with the given ID, together with its agents; nil if there is no such swarm.
  func swarm(
    _ id: String, _ state: WatchedState
  ) throws(Failure) -> (swarm: Swarm, members: [WatchedAgent])? {
    guard let swarm = try state.named(WatchedSwarm.self, id) else { return nil }
    // Agents without a swarm belong to a swarm with an empty ID.
    let all = try state.documents(WatchedAgent.self, id.isEmpty ? .all : .below(swarm.id))
    let members = all.filter { ($0.swarmId ?? "") == swarm.id }
    return (try state.withName(swarm).record(members, at: now), members)
  }
}

extension WatchedState {
  /// Returns the given swarm with a name.
  ///
  /// If the swarm reported no name, it gets the name of its pipeline's project, because events do
  /// not contain that name.
  func withName(_ swarm: WatchedSwarm) throws(Failure) -> WatchedSwarm {
    guard swarm.name == nil else { return swarm }
    var swarm = swarm
    swarm.name = try tables.project(ofPipeline: swarm.id)
    return swarm
  }

  /// Returns the whole ID of the swarm that the given part of an ID identifies; the part itself if
  /// there is none.
  func wholeId(ofSwarm part: String?) throws(Failure) -> String? {
    guard let part else { return nil }
    return try named(WatchedSwarm.self, part)?.id ?? part
  }

  /// Returns the document that the given ID identifies; nil if there is none.
  ///
  /// The ID may be incomplete, or in another Unicode normalization.
  func named<Document: WatchedDocument>(
    _ type: Document.Type, _ id: String
  ) throws(Failure) -> Document? {
    let id = WatchedKey.of(id)
    if let document = try document(type, id) { return document }
    let all = try documents(type)
    // ASCII text has only one normalization.
    if !id.utf8.allSatisfy({ $0 < 0x80 }), let same = all.first(where: { $0.id == id }) {
      return same
    }
    let whole = try IdPart.whole(id, among: all.lazy.map(\.id), Document.kind)
    return try whole.flatMap { (id) throws(Failure) in try document(type, id) }
  }
}
