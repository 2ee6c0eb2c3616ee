import Core
import Events

/// The state of a swarm, without its agents.
struct WatchedSwarm: WatchedDocument {
  static let kind = "swarm"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedSwarm>> { \.swarms }

  var id: String
  var name: String?
  var window = RateWindow()
  var updatedAt: Int64
  /// The machine of the swarm's last event; nil for the log's own machine.
  var host: String?

  init(id: String, updatedAt: Int64) {
    self.id = id
    self.updatedAt = updatedAt
  }

  /// Folds the given event of the swarm into the state.
  mutating func fold(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.loggedAt)
    window.add(event.weight, errors: event.isError ? event.weight : 0, at: event.at)
    // A control is an event of the hub, wherever the swarm is.
    if event.type != Control.type { host = event.host }
    if let told = event.attribute(.workflowName) { name = told }
  }

  /// Returns the swarm as a record.
  ///
  /// - Parameters:
  ///   - members: The agents of the swarm, including the one that represents its run.
  ///   - count: The number of the swarm's agents, if `members` does not contain all of them.
  ///   - now: The current time.
  /// - Returns: The record.
  func record(_ members: [WatchedAgent], of count: Int? = nil, at now: Int64) -> Swarm {
    let agents = members.filter { !$0.isRun }
    var swarm = Swarm(
      id: id, name: name ?? id, status: Self.status(members.map { $0.status(at: now) }),
      agents: max(agents.count, count ?? 0),
      activeAgents: agents.count { $0.status(at: now).isActive },
      errorRate: window.errorRate(at: now), throughput: window.throughput(at: now),
      history: window.series(at: now), updatedAt: Timestamp(updatedAt))
    swarm.host = host
    return swarm
  }

  /// Returns the status of a swarm with members of the given statuses.
  ///
  /// It is the status of members that are not done. If all are done, it is the worst outcome.
  private static func status(_ members: [AgentStatus]) -> AgentStatus {
    let order: [AgentStatus] = [
      .running, .waiting, .paused, .lost, .error, .terminated, .finished,
    ]
    return order.first(where: members.contains) ?? .finished
  }
}
