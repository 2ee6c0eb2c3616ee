import Core
import Events

/// What is known of a swarm beside its agents.
struct WatchedSwarm: WatchedDocument {
  static let kind = "swarm"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedSwarm>> { \.swarms }

  var id: String
  var name: String?
  var window = RateWindow()
  var updatedAt: Int64

  init(id: String, updatedAt: Int64) {
    self.id = id
    self.updatedAt = updatedAt
  }

  /// Folds an event of the swarm in.
  mutating func fold(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.loggedAt)
    window.add(event.weight, errors: event.isError ? event.weight : 0, at: event.at)
    if let told = event.attribute(.workflowName) { name = told }
  }

  /// The swarm as a record.
  ///
  /// - Parameters:
  ///   - members: Its agents, with the one that stands for its run.
  ///   - count: How many agents it has, if these are not all.
  ///   - now: The present.
  /// - Returns: The record.
  func record(_ members: [WatchedAgent], of count: Int? = nil, at now: Int64) -> Swarm {
    let agents = members.filter { !$0.isRun }
    return Swarm(
      id: id, name: name ?? id, status: Self.status(members.map { $0.status(at: now) }),
      agents: max(agents.count, count ?? 0),
      activeAgents: agents.count { $0.status(at: now).isActive },
      errorRate: window.errorRate(at: now), throughput: window.throughput(at: now),
      history: window.series(at: now), updatedAt: Timestamp(updatedAt))
  }

  /// As those that are not done stand, or, when all are, as the worst of them ended.
  private static func status(_ members: [AgentStatus]) -> AgentStatus {
    let order: [AgentStatus] = [
      .running, .waiting, .paused, .lost, .error, .terminated, .finished,
    ]
    return order.first(where: members.contains) ?? .finished
  }
}
