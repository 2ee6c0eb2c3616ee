internal import Core
internal import Events
import Foundation

/// The conversion between events and log records, for event types that OpenTelemetry lacks.
///
/// The event's type is the record's event name. The event's members are the record's attributes.
enum OwnRecord {
  /// The members of an event that a log record does not contain as attributes.
  private static let elsewhere: Set = [
    "id", "type", "ts", "agentId", "swarmId", "host", "labels", "srcId",
  ]

  /// Creates an empty record for an event of the given type.
  static func record(
    type: String, at milliseconds: Int64, level: Log.Level = .info
  ) -> WireLogRecord {
    var record = WireLogRecord()
    record.eventName = EventAttribute.typePrefix + type
    record.timeUnixNano = WireInstant.nanoseconds(milliseconds)
    record.observedTimeUnixNano = record.timeUnixNano
    record.severityNumber = Severity.number(level)
    record.severityText = Severity.text(level)
    return record
  }

  /// Returns the type of the event that the given record encodes; nil if the record is a log.
  static func type(of record: WireLogRecord) -> String? {
    let name = record.eventName
    guard name.hasPrefix(EventAttribute.typePrefix) else { return nil }
    return String(name.dropFirst(EventAttribute.typePrefix.count))
  }

  /// Returns the log record that encodes the given event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - level: The level of the record.
  ///   - words: The text of the record.
  /// - Returns: The record.
  /// - Throws: `BadInput` if JSON cannot represent the event.
  static func record<Told: Event & Equatable>(
    _ event: Told, level: Log.Level, words: String
  ) throws(Failure) -> WireLogRecord {
    var record = Self.record(type: Told.type, at: event.ts, level: level)
    record.body = WireAnyValue(.string(words))
    var marks = OwnMarks(event.head)
    for (name, value) in members(try event.line()) where !elsewhere.contains(name) {
      marks.members[name] = value
    }
    record.attributes = marks.attributes
    let restored = try? Self.event(record, of: OwnPlace(event.head)).event
    if let restored {
      try marks.complete(event, restored: restored)
    } else {
      marks.whole = try event.with { $0.head.id = nil }.json()
    }
    if marks.whole != nil { record.attributes = marks.attributes }
    return record
  }

  /// Returns the event that the given log record encodes.
  static func event(_ record: WireLogRecord, of place: OwnPlace) throws(Failure) -> OwnEvent {
    let marks = OwnMarks(record.attributes)
    if let whole = try marks.wholeEvent() { return OwnEvent(event: whole, id: marks["id"]) }
    var members = marks.members.filter { !elsewhere.contains($0.key) }
    members["type"] = type(of: record).map(JSONValue.string)
    members["ts"] = .int(Int(WireInstant.milliseconds(record.timeUnixNano)))
    members["agentId"] = place.agentId.map(JSONValue.string)
    members["swarmId"] = place.swarmId.map(JSONValue.string)
    members["host"] = place.host.map(JSONValue.string)
    members["srcId"] = marks["srcId"].map(JSONValue.string)
    if !marks.labels.isEmpty { members["labels"] = .object(marks.labels.mapValues { .string($0) }) }
    guard let line = JSONValue.object(members).words else {
      throw Failure(.badInput, "the record has no members")
    }
    return OwnEvent(event: try OwnMarks.event(line: Array(line.utf8)), id: marks["id"])
  }

  private static func members(_ line: [UInt8]) -> [String: JSONValue] {
    // A line that was just encoded can be decoded. Otherwise the event would be sent as JSON.
    (try? JSONDecoder().decode([String: JSONValue].self, from: Data(line))) ?? [:]
  }
}
