public import Core
import Requests

extension Standing {
  /// Returns the overview: all active items, and three figures about them.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func overview() throws(Failure) -> Overview {
    let gates = try watched.store.gates(status: .pending)
    return try watched.read { (state) throws(Failure) in try overview(state, gates).overview }
  }

  /// Returns the overview, and the recent numbers of each agent's events.
  ///
  /// The numbers cover the last ten minutes in steps of half a minute, the oldest first. Heartbeats
  /// do not count.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func activity() throws(Failure) -> (overview: Overview, ofAgents: [String: [Int]]) {
    let gates = try watched.store.gates(status: .pending)
    return try watched.read { (state) throws(Failure) in
      let (overview, live) = try overview(state, gates)
      let series = live.compactMap { agent in
        agent.activity.map { (agent.id, $0.series(at: now)) }
      }
      return (overview, Dictionary(series) { $1 })
    }
  }

  private func overview(
    _ state: WatchedState, _ gates: [ApprovalGate]
  ) throws(Failure) -> (overview: Overview, live: [WatchedAgent]) {
    let live = try state.documents(WatchedAgent.self, .live(at: now))
    let swarms = try swarms(of: live, state)
    let agents = records(of: live).filter { isActive($0.status, $0.updatedAt) }
    let overview = Overview(
      summaryCards: SummaryCards(
        contextRisk: try contextRisk(of: agents, state),
        skillFailureRate: try skillFailureRate(state),
        swarmHealth: Self.health(of: swarms, agents, try Thresholds(state))),
      activeIncidents: Self.records(
        of: try state.documents(WatchedIncident.self, .below(WatchedIncident.open))),
      activeSwarms: swarms, activeSessions: agents, pendingGates: gates,
      updatedAt: try state.tables.newest(WatchedAgent.kind).map { Timestamp($0) })
    return (overview, live)
  }

  /// Returns `true` if the given status is active, or if it became lost within the last day.
  private func isActive(_ status: AgentStatus, _ updatedAt: Timestamp) -> Bool {
    status.isActive || status == .lost && updatedAt > Timestamp(now - 86_400_000)
  }

  /// Returns the swarms that have active or lost agents.
  private func swarms(
    of agents: [WatchedAgent], _ state: WatchedState
  ) throws(Failure) -> [Swarm] {
    var swarms: [WatchedSwarm] = []
    var counts: [String: Int] = [:]
    for id in Set(agents.map { $0.swarmId ?? "" }) {
      guard let swarm = try state.document(WatchedSwarm.self, id) else { continue }
      swarms.append(try state.withName(swarm))
      let run = try state.document(WatchedAgent.self, id)
      counts[id] =
        try state.tables.count(WatchedAgent.kind, below: id) - (run?.isRun ?? false ? 1 : 0)
    }
    return records(of: swarms, members: agents, counts: counts).filter {
      isActive($0.status, $0.updatedAt)
    }
  }

  /// Returns the fullness of the fullest context among the given agents' conversations.
  private func contextRisk(
    of agents: [Agent], _ state: WatchedState
  ) throws(Failure) -> Double? {
    let active = Set(agents.map(\.id))
    return try state.tables.fullest(WatchedSession.kind, belowLive: WatchedAgent.kind, at: now)
      .filter { active.contains($0.parent) }.map(\.fullness).max()
  }

  /// Returns the fraction of skill calls in the last hour that failed; nil if there were no calls.
  private func skillFailureRate(_ state: WatchedState) throws(Failure) -> Double? {
    let called = try state.documents(WatchedSkill.self, .changed(since: now - 3_660_000))
    let sums = called.map { $0.window.sum(minutes: 60, at: now) }
    let calls = sums.reduce(0) { $0 + $1.calls }
    return calls == 0 ? nil : Double(sums.reduce(0) { $0 + $1.failures }) / Double(calls)
  }

  /// Returns the fraction of the given swarms that are healthy.
  private static func health(
    of swarms: [Swarm], _ agents: [Agent], _ thresholds: Thresholds
  ) -> Double? {
    let losers = Set(agents.filter { $0.status == .lost }.compactMap(\.swarmId))
    let well = swarms.count { swarm in
      swarm.errorRate < thresholds.value(.swarmDegraded, swarm.id) && swarm.status != .lost
        && !losers.contains(swarm.id)
    }
    return swarms.isEmpty ? nil : Double(well) / Double(swarms.count)
  }
}
