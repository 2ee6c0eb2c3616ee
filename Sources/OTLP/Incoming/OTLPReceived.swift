public import Core

/// The decoded contents of a request: its events, and the number of rejected records.
public struct OTLPReceived: Sendable {
  /// An event, and the key by which duplicates of the event are recognized.
  public struct Item: Sendable {
    /// The event.
    ///
    /// If it comes from one of our logs, it differs from the original only in its id.
    public var event: any Event
    /// The key by which a log recognizes a repeated event.
    ///
    /// The key is the same each time a sender sends the same span, log record or point. For an
    /// event of our own, it is derived from the event's id in its original log, and the event
    /// retains its `srcId`, if any. For any other record, it is the event's `srcId`.
    public let key: String
  }

  /// The events, in the order of the request.
  public private(set) var items: [Item] = []
  /// The number of rejected spans, log records and points.
  public private(set) var rejected = 0
  /// A sentence that explains the first rejection; empty if no record was rejected.
  public private(set) var message = ""

  /// `true` if the request had more events than ``most``.
  private(set) var isOverfull = false
  private var seen: [String: Int] = [:]
  /// The name of the machine of the events that follow; nil if their resource names none.
  var host: String?

  /// The largest number of events in a request.
  static let most = 100_000

  init() {}

  /// The events of ``items``, without their keys.
  public var events: [any Event] { items.map(\.event) }

  /// Removes the events that the request's sender may not send, and counts them as rejected.
  ///
  /// - Parameter reason: A function that returns a sentence with the reason to reject the given
  ///   event; nil to accept it.
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

  /// Adds the given event, which must have a source id.
  mutating func add(_ event: some Event) {
    append(event, key: event.head.srcId ?? "")
  }

  /// Adds the given event of a record without an id.
  ///
  /// The event's source id becomes a digest of the event and of `instants`.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - instants: The record's timestamps. They are more precise than the event's.
  /// - Throws: `BadInput` if JSON cannot represent the event.
  mutating func add(_ event: some Event, at instants: UInt64...) throws(Failure) {
    var event = event
    event.head.srcId = try digest(event, instants)
    add(event)
  }

  /// Adds the given event of a coding agent.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - callId: The identity of the model call, which all reports of the call share; nil if there
  ///     is none.
  ///   - identity: A text that only equal records have.
  mutating func add(agentEvent event: any Event, callId: String?, identity: String) {
    var event = event
    let agent = event.head.agentId ?? ""
    let key = callId.map { "otlp:\(agent):\($0)" } ?? repeated("otlp:\(agent):\(identity)")
    event.head.srcId = key
    append(event, key: key)
  }

  /// The maximum length in bytes of an agent's or swarm's name.
  ///
  /// Each event of a resource repeats it.
  private static let maximumId = 1_024

  /// Adds the given event, which one of our tools sent.
  ///
  /// - Throws: `BadInput` if JSON cannot represent the event, or if a name is too long.
  mutating func add(_ own: OwnEvent) throws(Failure) {
    for id in [own.event.head.agentId, own.event.head.swarmId].compactMap(\.self) {
      guard id.utf8.count <= Self.maximumId else {
        throw Failure(.badInput, "the name of an agent or swarm is too long")
      }
    }
    if let host = own.event.head.host, !EventHost.isName(host) {
      throw Failure(.badInput, "the name of a machine is not allowed")
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
    var event = event
    event.head.host = event.head.host ?? host
    items.append(Item(event: event, key: key))
  }

  /// Returns a key for an event without an id.
  ///
  /// The key is a digest. Equal events in one request get different keys.
  private mutating func digest(
    _ event: some Event, _ instants: [UInt64]
  ) throws(Failure) -> String {
    let said = try event.line() + instants.flatMap { Array(" \($0)".utf8) }
    return repeated("otlp:\(SHA256Digest.base64(said))")
  }

  /// Returns the given key, made unique in the request.
  private mutating func repeated(_ key: String) -> String {
    let count = (seen[key] ?? 0) + 1
    seen[key] = count
    return count == 1 ? key : "\(key):\(count)"
  }
}
