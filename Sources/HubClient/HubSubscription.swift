public import Core
public import Events

/// Which events of a hub are wanted, as it is asked for them.
public struct HubSubscription: Sendable {
  /// The conditions; those that a hub does not know are for its reader to judge.
  public var filter: EventFilter
  /// How many events a second.
  public var perSecond: Int
  /// Only what came after this event; nil for what comes from now on, or for all that there is.
  public var after: String?

  /// The highest rate that a hub takes.
  public static let mostPerSecond = 1_000_000

  /// Asks for these.
  public init(_ filter: EventFilter, perSecond: Int = mostPerSecond, after: String? = nil) {
    self.filter = filter
    self.perSecond = perSecond
    self.after = after
  }

  /// What `include` calls the types of events.
  private static let words = [
    TraceEvent.type: "traceEvents", Log.type: "logs", Metric.type: "metrics",
    ApprovalGate.type: "approvals", Control.type: "controls", Alert.type: "alerts",
  ]

  /// The words of `include`; nil where all types are wanted, or one that has no word.
  private var include: [String]? {
    let words = filter.types.filter { $0 != Gap.type }.map { Self.words[$0] }
    return filter.types.isEmpty || words.contains(nil) ? nil : words.compactMap(\.self)
  }

  private struct Message: Encodable {
    struct Filters: Encodable {
      var swarmIds: [String]?
      var agentIds: [String]?
      var skillIds: [String]?
      var severityGte: String?
      var include: [String]?
      var since: String?
      var until: String?
      var text: String?
    }

    var type = "subscribe"
    var requestId: String
    var filters: Filters
    var maxEventsPerSecond: Int
    var lastEventId: String?
    var batch = true
  }

  /// The message that asks for the live stream, as JSON.
  ///
  /// - Parameters:
  ///   - requestId: Names the request.
  ///   - last: Goes on after this event.
  /// - Returns: Its bytes.
  /// - Throws: `BadInput` for an instant that JSON cannot say, which there is none of.
  public func message(requestId: String, after last: String?) throws(Failure) -> [UInt8] {
    func some(_ ids: [String]) -> [String]? { ids.isEmpty ? nil : ids }
    let filters = Message.Filters(
      swarmIds: some(filter.swarms), agentIds: some(filter.agents), skillIds: some(filter.skills),
      severityGte: filter.level?.rawValue, include: include,
      since: filter.since.map { "\($0.milliseconds)" },
      until: filter.until.map { "\($0.milliseconds)" }, text: filter.match)
    return try HubPeer.json(
      Message(
        requestId: requestId, filters: filters, maxEventsPerSecond: perSecond, lastEventId: last))
  }

  /// The same conditions as a query, for what a hub has already.
  var query: [(name: String, value: String)] {
    var query = filter.swarms.map { (name: "swarmIds", value: $0) }
    query += filter.agents.map { ("agentIds", $0) } + filter.skills.map { ("skillIds", $0) }
    query += (include ?? []).map { ("include", $0) }
    if let level = filter.level { query.append(("severityGte", level.rawValue)) }
    if let since = filter.since { query.append(("since", "\(since.milliseconds)")) }
    if let until = filter.until { query.append(("until", "\(until.milliseconds)")) }
    if let text = filter.match { query.append(("text", text)) }
    return query
  }
}
