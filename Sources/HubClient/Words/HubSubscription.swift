public import Core
public import Events
import HubWords

/// A subscription to a hub's events: a filter, a rate and a starting point.
public struct HubSubscription: Sendable {
  /// The filter.
  ///
  /// The reader itself must apply those conditions that a hub does not know.
  public var filter: EventFilter
  /// The largest number of events per second.
  public var perSecond: Int
  /// The id of the event after which reading begins.
  ///
  /// If it is nil, a stream begins with new events, and a log with its oldest event.
  public var after: String?

  /// The highest rate that a hub accepts.
  public static let mostPerSecond = 1_000_000

  /// Creates a subscription.
  public init(_ filter: EventFilter, perSecond: Int = mostPerSecond, after: String? = nil) {
    self.filter = filter
    self.perSecond = perSecond
    self.after = after
  }

  /// The words by which the hub's parameter `include` names types of events.
  private static let words = [
    TraceEvent.type: "traceEvents", Log.type: "logs", Metric.type: "metrics",
    ApprovalGate.type: "approvals", Control.type: "controls", Alert.type: "alerts",
  ]

  /// The value of the hub's parameter `include` that selects the filter's types of events.
  ///
  /// It is nil if the filter selects no types, or if the hub has no word for one of them.
  private var include: [String]? {
    let words = filter.types.filter { $0 != Gap.type }.map { Self.words[$0] }
    return filter.types.isEmpty || words.contains(nil) ? nil : words.compactMap(\.self)
  }

  /// The filter in the form that the hub's API uses.
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

  /// Returns the message that requests the live stream, as JSON.
  ///
  /// - Parameters:
  ///   - requestId: The id of the request.
  ///   - last: The id of the event after which to resume; nil to begin with new events.
  /// - Returns: The bytes of the message.
  /// - Throws: `BadInput` if JSON cannot represent a value.
  public func message(requestId: String, after last: String?) throws(Failure) -> [UInt8] {
    var message = LiveMessage(type: "subscribe", requestId: requestId)
    message.filters = filters
    message.maxEventsPerSecond = Double(perSecond)
    (message.lastEventId, message.batch) = (last, true)
    return try message.body()
  }

  /// The filter as the query parameters of a request for stored events.
  var query: [(name: String, value: String)] { filters.query }
}
