public import Core

/// The contents of a request: its events, and the count of rejected records.
public struct OTLPReceived: Sendable {
  /// An event and its key for deduplication.
  public struct Item: Sendable {
    /// The event; one from another of our logs is unchanged except for its id.
    public var event: any Event
    /// The key of the source record: it is the same each time a sender sends that span, log record
    /// or point, so that a log can store its event once.
    ///
    /// For events made from OpenTelemetry records, the key is the `srcId`. An event of our own
    /// keeps its `srcId`, if any, and its key names its id in the log it comes from.
    public let key: String
  }

  /// The events, in the order of the request.
  public private(set) var items: [Item] = []
  /// The number of rejected spans, log records and points.
  public private(set) var rejected = 0
  /// The reason for the first rejection, in a sentence; empty if there is none.
  public private(set) var message = ""

  /// `true` if the request held more events than allowed.
  private(set) var isOverfull = false
  private var seen: [String: Int] = [:]

  /// The largest number of events in a request.
  static let most = 100_000

  init() {}

  /// The events without their keys, in the order of the request.
  public var events: [any Event] { items.map(\.event) }

  /// Removes events that their sender may not send, and counts them as rejected.
  ///
  /// - Parameter reason: Returns the reason to reject an event, in a sentence; nil to accept it.
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

  /// Adds an event that has a source id.
  mutating func add(_ event: some Event) {
    append(event, key: event.head.srcId ?? "")
  }

  /// Adds an event of a record without an id: its source id is a digest of its contents.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - instants: The record's timestamps, which are finer than the event's.
  /// - Throws: `BadInput` for an event that JSON cannot represent.
  mutating func add(_ event: some Event, at instants: UInt64...) throws(Failure) {
    var event = event
    event.head.srcId = try digest(event, instants)
    add(event)
  }

  /// The longest name of an agent or swarm: a resource's name is repeated in all its events.
  private static let maximumId = 1_024

  /// Adds an event that one of our tools sent.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot represent, and for names that are too long.
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

  /// Returns the key of an event without an id; duplicates within a request get distinct keys.
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
