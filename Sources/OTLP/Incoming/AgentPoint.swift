internal import CodingAgents
internal import Core
internal import Events

/// A point of a coding agent's metric of tokens or money.
struct AgentPoint {
  /// The counters that the point adds to.
  let counters: [TelemetryNames.Counter]
  /// The session.
  let sessionId: String
  private let table: TelemetryNames
  private let swarmId: String?
  private let attributes: [String: JSONValue]

  /// Creates the point; returns nil if the metric counts no usage, or names no session.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the point.
  ///   - metric: The name of the metric.
  ///   - table: The agent's names.
  ///   - origin: The resource.
  init?(
    _ attributes: [WireKeyValue], of metric: String, _ table: TelemetryNames, _ origin: Origin
  ) {
    guard metric.hasPrefix(table.prefix) else { return nil }
    let members = attributes.members
    let name = String(metric.dropFirst(table.prefix.count))
    switch name {
    case table.tokenMetric:
      let type = members["type"]?.string ?? ""
      guard let counters = table.tokenTypes[type] else { return nil }
      self.counters = counters
    case table.costMetric: counters = [.costUSD]
    default: return nil
    }
    guard let session = members[table.session]?.identifier ?? origin.sessionId else { return nil }
    sessionId = session
    (self.table, swarmId, self.attributes) = (table, origin.swarmId, members)
  }

  /// Returns the members that events of all types have, without labels.
  ///
  /// - Throws: `BadInput` if the session's id is too long.
  func head(at milliseconds: Int64) throws(Failure) -> EventHead {
    EventHead(
      ts: milliseconds, swarmId: swarmId, agentId: try table.agentId(ofSession: sessionId))
  }

  /// The labels, which distinguish the point's series from others.
  var labels: [String: String] {
    var rest = table.stored(attributes, keepingContent: false)
    rest[table.session] = nil
    let model = rest.removeValue(forKey: "model")?.identifier
    var labels = rest.compactMapValues(\.words)
    labels[EventAttribute.responseModel.rawValue] = model
    labels[EventAttribute.provider.rawValue] = table.provider
    labels[EventAttribute.usageSource.rawValue] = UsageSource.metrics.rawValue
    return labels
  }
}
