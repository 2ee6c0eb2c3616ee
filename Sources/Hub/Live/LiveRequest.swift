import Core
import Events
import HubWords

/// A request to follow the live stream.
struct LiveRequest: Sendable {
  /// The filter that events must pass.
  var filter = EventFilter()
  /// The maximum number of events per second.
  ///
  /// Events that are never dropped do not count.
  var perSecond = usualRate
  /// The log position after which the stream begins; nil for new events only.
  var last: EventPosition?
  /// `true` if one message may contain several events, one per line.
  var batches = false

  /// The default for ``perSecond``.
  static let usualRate = 200
  /// The highest valid ``perSecond``.
  static let mostPerSecond = 1_000_000
  /// The largest number of ids of each kind, and the maximum length of an id in characters.
  private static let most = (ids: 1000, characters: 512)
  /// The valid timestamps in milliseconds: from 1970 to the end of the year 9999.
  private static let instants: ClosedRange<Int64> = 0...253_402_300_799_999

  /// The types of events that are selected by each word of `include`.
  private static let included: [String: [String]] = [
    "traceEvents": [TraceEvent.type], "logs": [Log.type], "metrics": [Metric.type],
    "approvals": [ApprovalGate.type], "controls": [Control.type], "alerts": [Alert.type],
  ]

  /// Creates a request for all new events.
  init() {}

  /// Creates a request from the given members.
  ///
  /// They are validated.
  ///
  /// - Throws: `BadInput` if a member is invalid.
  init(_ members: LiveMessage) throws(Failure) {
    let asked = members.filters ?? EventFilters()
    filter.swarms = try Self.ids(asked.swarmIds, "swarmIds")
    filter.agents = try Self.ids(asked.agentIds, "agentIds")
    filter.skills = try Self.ids(asked.skillIds, "skillIds")
    if let include = asked.include {
      var types: [String] = [Gap.type]
      for word in include.prefix(Self.most.ids) {
        guard let meant = Self.included[word] else {
          let known = Self.included.keys.sorted().joined(separator: ", ")
          throw Self.fault(
            "include", "must not be '\(Visible.line(word))': expected one of \(known)")
        }
        types += meant
      }
      filter.types = types
    }
    if let text = asked.severityGte {
      guard let level = Log.Level(rawValue: text) else {
        throw Self.fault("severityGte", "must be debug, info, warn, error or critical")
      }
      filter.level = level
    }
    filter.since = try Self.instant(asked.since, "since")
    filter.until = try Self.instant(asked.until, "until")
    if let text = asked.text {
      guard (1...Self.most.characters).contains(text.unicodeScalars.count) else {
        throw Self.fault("text", "must have 1 to \(Self.most.characters) characters")
      }
      filter.match = text
    }
    if let rate = members.maxEventsPerSecond { perSecond = try Self.rate(rate) }
    if let id = members.lastEventId {
      guard let position = EventPosition(id) else {
        throw Self.fault("lastEventId", "must be an event id")
      }
      last = position
    }
    batches = members.batch ?? false
  }

  /// Returns the given rate as an integer.
  ///
  /// - Throws: `BadInput` unless the rate is a whole number of at least 1.
  static func rate(_ number: Double) throws(Failure) -> Int {
    guard let rate = Int(exactly: number), (1...mostPerSecond).contains(rate) else {
      throw fault("maxEventsPerSecond", "must be a whole number from 1 to \(mostPerSecond)")
    }
    return rate
  }

  private static func ids(_ ids: [String]?, _ name: String) throws(Failure) -> [String] {
    guard let ids else { return [] }
    guard ids.count <= most.ids,
      ids.allSatisfy({ $0.unicodeScalars.count <= most.characters })
    else {
      throw fault(name, "must have at most \(most.ids) ids of \(most.characters) characters")
    }
    return ids
  }

  private static func instant(_ text: String?, _ name: String) throws(Failure) -> Timestamp? {
    guard let text else { return nil }
    let number = Int64(text).flatMap { instants.contains($0) ? $0 : nil }
    if let instant = Timestamp(iso8601: text) ?? number.map(Timestamp.init(milliseconds:)) {
      return instant
    }
    throw fault(name, "must be an RFC 3339 time or milliseconds since 1970")
  }

  private static func fault(_ name: String, _ reason: String) -> Failure {
    Failure(.badInput, "'\(name)' \(reason)", input: name)
  }
}
