public import Core

/// The response to `POST /v1/events`.
public struct Acknowledgement: HubWord {
  /// A line of the request that was not stored.
  public struct Rejected: HubWord {
    /// The code of the failure.
    public var code: String
    /// The reason why the line was not stored.
    public var explanation: String
    /// The number of the line, counted from 1.
    public var line: Int

    /// Creates the description.
    public init(code: String, explanation: String, line: Int) {
      (self.code, self.explanation, self.line) = (code, explanation, line)
    }
  }

  /// The number of stored events.
  public var accepted: Int
  /// The id of the last stored event; `null` if none was stored.
  public var lastId: String?
  /// The lines that were not stored, at most 1000.
  public var rejected: [Rejected]

  /// Creates the response.
  public init(accepted: Int, lastId: String?, rejected: [Rejected]) {
    (self.accepted, self.lastId, self.rejected) = (accepted, lastId, rejected)
  }

  /// Encodes all members.
  ///
  /// A missing `lastId` becomes `null`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(accepted, forKey: .accepted)
    try members.encode(lastId, forKey: .lastId)
    try members.encode(rejected, forKey: .rejected)
  }
}

/// The response to `GET /v1/events`.
public struct EventPage: HubWord {
  /// The events, oldest first.
  public var events: [RecordJSON]
  /// The id of the last event that the hub examined; `null` if there is none.
  public var lastId: String?
  /// The `gap` record before the events; nil if all earlier events are still available.
  public var gap: RecordJSON?

  /// Creates the response.
  public init(events: [RecordJSON], lastId: String?, gap: RecordJSON?) {
    (self.events, self.lastId, self.gap) = (events, lastId, gap)
  }

  /// Encodes the page.
  ///
  /// A missing `lastId` becomes `null`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(events, forKey: .events)
    try members.encode(lastId, forKey: .lastId)
    try members.encodeIfPresent(gap, forKey: .gap)
  }
}

/// The response to `GET /v1/traces/{traceId}`.
public struct TraceAnswer: HubWord {
  /// The id of the trace that was requested: 32 hexadecimal digits.
  public var traceId: String
  /// The trace's events, oldest first.
  public var events: [RecordJSON]
  /// The URL of a page that shows the trace; nil if no such page is configured.
  public var webUrl: String?

  /// Creates the response.
  public init(traceId: String, events: [RecordJSON], webUrl: String?) {
    (self.traceId, self.events, self.webUrl) = (traceId, events, webUrl)
  }
}
