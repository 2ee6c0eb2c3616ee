public import Core

/// The items of the view: the records of an overview, and each agent's recent activity.
public struct WatchedItems: Sendable {
  var overview: Overview
  /// The number of events in each recent minute, by agent id.
  ///
  /// The oldest minute is first.
  var activity: [String: [Int]]

  /// Creates the items in the order that puts items in trouble first.
  ///
  /// - Parameters:
  ///   - overview: The overview.
  ///   - activity: The number of events in each recent minute, by agent id. The oldest minute is
  ///     first.
  public init(_ overview: Overview, activity: [String: [Int]] = [:]) {
    self.overview = overview
    self.activity = activity
    self.overview.activeIncidents.sort {
      $0.severity != $1.severity
        ? $0.severity > $1.severity : ($1.updatedAt, $0.id) < ($0.updatedAt, $1.id)
    }
    self.overview.activeSwarms.sort {
      ($0.status.urgency, $1.errorRate, $0.id) < ($1.status.urgency, $0.errorRate, $1.id)
    }
    self.overview.activeSessions.sort {
      ($0.urgency, $0.errors == 0 ? 1 : 0, $0.id) < ($1.urgency, $1.errors == 0 ? 1 : 0, $1.id)
    }
  }

  /// Returns the items whose rows contain all the given words, sorted by the given order.
  func listed(_ words: String, by order: WatchOrder) -> WatchedItems {
    var listed = self
    let words = words.lowercased().split(whereSeparator: \.isWhitespace)
    func holds(_ texts: String?...) -> Bool {
      let text = texts.compactMap(\.self).joined(separator: "\n").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    listed.overview.pendingGates = order.sorted(
      overview.pendingGates.filter {
        holds($0.gateId, $0.summary, $0.agentId, $0.swarmId, $0.host)
      },
      at: \.requestedAt, name: \.summary, errors: { _ in 0 })
    listed.overview.activeIncidents = order.sorted(
      overview.activeIncidents.filter {
        holds($0.id, $0.summary, $0.severity.rawValue, $0.agentId, $0.swarmId, $0.skillId)
      }, at: \.updatedAt, name: \.summary, errors: { Double($0.count) })
    listed.overview.activeSwarms = order.sorted(
      overview.activeSwarms.filter { holds($0.id, $0.name, $0.status.rawValue, $0.host) },
      at: \.updatedAt, name: \.name, errors: \.errorRate)
    listed.overview.activeSessions = order.sorted(
      overview.activeSessions.filter {
        holds(
          $0.id, $0.name, $0.swarmId, $0.taskSummary, $0.status.rawValue, $0.waitingFor?.rawValue,
          $0.host)
      }, at: \.updatedAt, name: { $0.name ?? $0.id }, errors: { Double($0.errors) })
    return listed
  }

  /// All items, in the order of their rows.
  var all: [WatchView.Item] {
    overview.pendingGates.map { .gate($0.gateId) }
      + overview.activeIncidents.map { .incident($0.id) }
      + overview.activeSwarms.map { .swarm($0.id) } + overview.activeSessions.map { .agent($0.id) }
  }

  /// Returns the parts of the list.
  ///
  /// Each kind of record has one part.
  func parts(_ text: RecordText) -> [WatchPart] {
    var text = text
    text.activity = activity
    let parts: [(title: String, records: [any TabledRecord])] = [
      ("GATES", overview.pendingGates), ("INCIDENTS", overview.activeIncidents),
      ("SWARMS", overview.activeSwarms), ("AGENTS", overview.activeSessions),
    ]
    return parts.filter { !$0.records.isEmpty }.map { WatchPart($0.title, $0.records, text) }
  }
}

extension Agent {
  /// The urgency of the agent's state.
  ///
  /// The lowest number is the most urgent.
  fileprivate var urgency: Int { waitingFor?.needsPerson == true ? -1 : status.urgency }
}

extension AgentStatus {
  /// The urgency of the status.
  ///
  /// The lowest number is the most urgent.
  fileprivate var urgency: Int {
    switch self {
    case .error, .lost: 0
    case .waiting: 1
    case .paused: 2
    case .running: 3
    case .terminated, .finished: 4
    }
  }
}
