/// The filters of a subscription, and of the queries of `/v1/events` and `/v1/stream`.
public struct EventFilters: HubWord {
  /// The ids of the swarms whose events match.
  public var swarmIds: [String]?
  /// The ids of the agents whose events match.
  public var agentIds: [String]?
  /// The ids of the skills whose events match.
  public var skillIds: [String]?
  /// The types of events: `traceEvents`, `logs`, `metrics`, `approvals`, `controls`, `alerts`.
  public var include: [String]?
  /// The lowest severity of log events that match.
  public var severityGte: String?
  /// The start time, in RFC 3339 or milliseconds since 1970.
  public var since: String?
  /// The end time, in the form of ``since``.
  public var until: String?
  /// A text that an event must contain.
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
  ///   - list: A function that returns all values of the parameter with a name; nil if it is
  ///     absent.
  ///   - value: A function that returns the value of the parameter with a name; nil if it is
  ///     absent.
  public init(list: (String) -> [String]?, value: (String) -> String?) {
    for (name, path) in Self.lists { self[keyPath: path] = list(name) }
    for (name, path) in Self.values { self[keyPath: path] = value(name) }
  }

  /// The filters as the names and values of query parameters, not escaped.
  public var query: [(name: String, value: String)] {
    Self.lists.flatMap { name, path in (self[keyPath: path] ?? []).map { (name, $0) } }
      + Self.values.compactMap { name, path in self[keyPath: path].map { (name, $0) } }
  }
}

/// A subscriber's message on the live stream's WebSocket.
public struct LiveMessage: HubWord {
  /// The kind: `subscribe`, `unsubscribe`, `throttle`, `ping`, `pong`.
  public var type: String
  /// The request id, which the reply repeats.
  public var requestId: String?
  /// The filters of events.
  public var filters: EventFilters?
  /// The highest number of events per second.
  public var maxEventsPerSecond: Double?
  /// The cursor: the id of the last event received.
  public var lastEventId: String?
  /// `true` if a message may hold several events, one per line.
  public var batch: Bool?
  /// The number of the ping.
  public var id: Int?

  /// Creates the message.
  public init(type: String, requestId: String? = nil, id: Int? = nil) {
    (self.type, self.requestId, self.id) = (type, requestId, id)
  }
}

/// A hub's message on the live stream's WebSocket that is not a record.
public struct LiveReply: HubWord {
  /// The kind: `subscribed`, `unsubscribed`, `throttled`, `ping`, `pong`.
  public var type: String
  /// The time in milliseconds since 1970.
  public var ts: Int64
  /// The id of the request that the message answers.
  public var requestId: String?
  /// The new highest number of events per second.
  public var maxEventsPerSecond: Int?
  /// The cursor: the id of the event after which the stream continues.
  public var lastEventId: String?
  /// The number of the ping.
  public var id: Int?

  /// Creates the message.
  public init(type: String, ts: Int64, requestId: String?) {
    (self.type, self.ts, self.requestId) = (type, ts, requestId)
  }
}
