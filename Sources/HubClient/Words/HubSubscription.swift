public import Core
public import Events
import HubWords

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

  /// The conditions as the hub's API has them.
  private var filters: EventFilters {
    func some(_ ids: [String]) -> [String]? { ids.isEmpty ? nil : ids }
    var filters = EventFilters()
    (filters.swarmIds, filters.agentIds) = (some(filter.swarms), some(filter.agents))
    (filters.skillIds, filters.include) = (some(filter.skills), include)
    filters.severityGte = filter.level?.rawValue
    filters.since = filter.since.map { "\($0.milliseconds)" }
    filters.until = filter.until.map { "\($0.milliseconds)" }
    filters.text = filter.match
    return filters
  }

  /// The message that asks for the live stream, as JSON.
  ///
  /// - Parameters:
  ///   - requestId: Names the request.
  ///   - last: Goes on after this event.
  /// - Returns: Its bytes.
  /// - Throws: `BadInput` for an instant that JSON cannot say, which there is none of.
  public func message(requestId: String, after last: String?) throws(Failure) -> [UInt8] {
    var message = LiveMessage(type: "subscribe", requestId: requestId)
    message.filters = filters
    message.maxEventsPerSecond = Double(perSecond)
    (message.lastEventId, message.batch) = (last, true)
    return try message.body()
  }

  /// The same conditions as a query, for what a hub has already.
  var query: [(name: String, value: String)] { filters.query }
}
