/// The filters of a subscription.
///
/// The queries of `/v1/events` and `/v1/stream` have the same filters.
public struct EventFilters: HubWord {
  /// The ids of the swarms whose events match; nil for all.
  public var swarmIds: [String]?
  /// The ids of the agents whose events match; nil for all.
  public var agentIds: [String]?
  /// The ids of the skills whose events match; nil for all.
  public var skillIds: [String]?
  /// The types of events that match; nil for all.
  ///
  /// The values are `traceEvents`, `logs`, `metrics`, `approvals`, `controls` and `alerts`.
  public var include: [String]?
  /// The lowest level of the events that match; nil for any.
  public var severityGte: String?
  /// The time of the earliest event that matches, in RFC 3339 or in milliseconds since 1970.
  public var since: String?
  /// The time of the latest event that matches, in the form of ``since``.
  public var until: String?
  /// A text that matching events must contain.
  public var text: String?

  private static let lists:
    [(name: String, path: any WritableKeyPath<Self, [String]?> & Sendable)] = [
      ("swarmIds", \.swarmIds), ("agentIds", \.agentIds), ("skillIds", \.skillIds),
      ("include", \.include),
    ]
  private static let values: [(name: String, path: any WritableKeyPath<Self, String?> & Sendable)] =
    [
      ("severityGte", \.severityGte), ("since", \.since), ("until", \.until), ("text", \.text),
    ]

  /// Creates filters that match every event.
  public init() {}

  /// Creates the filters from the parameters of a query.
  ///
  /// - Parameters:
  ///   - list: A function that returns all values of the parameter with the given name; nil if it
  ///     is absent.
  ///   - value: A function that returns the value of the parameter with the given name; nil if it
  ///     is absent.
  public init(list: (String) -> [String]?, value: (String) -> String?) {
    for (name, path) in Self.lists { self[keyPath: path] = list(name) }
    for (name, path) in Self.values { self[keyPath: path] = value(name) }
  }

  /// The filters as names and values of query parameters.
  ///
  /// They are not escaped.
  public var query: [(name: String, value: String)] {
    Self.lists.flatMap { name, path in (self[keyPath: path] ?? []).map { (name, $0) } }
      + Self.values.compactMap { name, path in self[keyPath: path].map { (name, $0) } }
  }
}

/// A message from a subscriber over the live stream's WebSocket.
public struct LiveMessage: HubWord {
  /// The type of the message: `subscribe`, `unsubscribe`, `throttle`, `ping` or `pong`.
  public var type: String
  /// The id of the request.
  ///
  /// The reply repeats it.
  public var requestId: String?
  /// The filters of a subscription.
  public var filters: EventFilters?
  /// The maximum number of events per second.
  public var maxEventsPerSecond: Double?
  /// The id of the last event that the subscriber received.
  ///
  /// The stream resumes after it.
  public var lastEventId: String?
  /// `true` if one message may contain several events, one per line.
  public var batch: Bool?
  /// The number of the ping.
  public var id: Int?

  /// Creates the message.
  public init(type: String, requestId: String? = nil, id: Int? = nil) {
    (self.type, self.requestId, self.id) = (type, requestId, id)
  }
}

/// A message from a hub over the live stream's WebSocket, other than a record.
public struct LiveReply: HubWord {
  /// The type of the message: `subscribed`, `unsubscribed`, `throttled`, `ping` or `pong`.
  public var type: String
  /// The time of the message in milliseconds since 1970.
  public var ts: Int64
  /// The id of the request that the message answers.
  public var requestId: String?
  /// The new maximum number of events per second.
  public var maxEventsPerSecond: Int?
  /// The id of the event after which the stream continues.
  public var lastEventId: String?
  /// The number of the ping.
  public var id: Int?

  /// Creates the message.
  public init(type: String, ts: Int64, requestId: String?) {
    (self.type, self.ts, self.requestId) = (type, ts, requestId)
  }
}
