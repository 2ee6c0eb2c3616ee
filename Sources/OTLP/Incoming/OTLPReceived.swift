public import Core

/// What a request held: events, and what of it is none.
public struct OTLPReceived: Sendable {
  /// An event, and by what it is known again.
  public struct Item: Sendable {
    /// The event; one that another of our logs sent is as it was there, but for its id.
    public var event: any Event
    /// The same for the same span, log record or point however often it is sent: what a log should
    /// take only one event of, of one sender.
    ///
    /// It is the `srcId` of an event that OpenTelemetry's own records were made into. One of our own
    /// keeps the `srcId` that it had, or none, and this tells of its id in the log that it comes from.
    public let key: String
  }

  /// The events in the order of the request.
  public private(set) var items: [Item] = []
  /// How many spans, log records or points are not taken.
  public private(set) var rejected = 0
  /// Why the first of those is not, in a sentence; empty where all are taken.
  public private(set) var message = ""

  /// Whether there were more events than one request may hold.
  private(set) var isOverfull = false
  private var seen: [String: Int] = [:]

  /// So many events a request may hold.
  static let most = 100_000

  init() {}

  /// The events in the order of the request.
  public var events: [any Event] { items.map(\.event) }

  /// Takes events out that may not come from their sender: they count as rejected.
  ///
  /// - Parameter reason: Why an event may not be taken, in a sentence; nil where it may.
  public mutating func refuse(_ reason: (any Event) -> String?) {
    var kept: [Item] = []
    for item in items {
      if let reason = reason(item.event) { reject(reason) } else { kept.append(item) }
    }
    items = kept
  }

  mutating func reject(_ reason: String) {
    rejected += 1
    if message.isEmpty { message = reason }
  }

  /// Adds an event that has its source id.
  mutating func add(_ event: some Event) {
    append(event, key: event.head.srcId ?? "")
  }

  /// Adds an event of a record that has no id: its source id is a digest of what it says.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - instants: The record's instants, which are finer than the event's.
  /// - Throws: `BadInput` for an event that JSON cannot say.
  mutating func add(_ event: some Event, at instants: UInt64...) throws(Failure) {
    var event = event
    event.head.srcId = try digest(event, instants)
    add(event)
  }

  /// Longer names of agents and swarms are refused: one resource may be that of very many events.
  private static let maximumId = 1_024

  /// Adds an event of our own.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot say, and for names that are too long.
  mutating func add(_ own: OwnEvent) throws(Failure) {
    for id in [own.event.head.agentId, own.event.head.swarmId].compactMap(\.self) {
      guard id.utf8.count <= Self.maximumId else {
        throw Failure(.badInput, "the name of an agent or swarm is too long")
      }
    }
    var key = own.id.map { "event:\($0)" } ?? own.event.head.srcId
    if key == nil { key = try digest(own.event, []) }
    append(own.event, key: key ?? "")
  }

  private mutating func append(_ event: any Event, key: String) {
    guard items.count < Self.most else {
      isOverfull = true
      return
    }
    items.append(Item(event: event, key: key))
  }

  /// What an event without an id is known by; the second of two in a request is another one.
  private mutating func digest(
    _ event: some Event, _ instants: [UInt64]
  ) throws(Failure) -> String {
    let said = try event.line() + instants.flatMap { Array(" \($0)".utf8) }
    let key = "otlp:\(SHA256Digest.base64(said))"
    let count = (seen[key] ?? 0) + 1
    seen[key] = count
    return count == 1 ? key : "\(key):\(count)"
  }
}
