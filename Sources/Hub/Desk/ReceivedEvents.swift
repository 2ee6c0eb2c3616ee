import Core
import Events
import HubWords

/// The events that were received in a request, and the rejected lines with their reasons.
struct ReceivedEvents: Sendable {
  /// A rejected line.
  struct Rejected: Sendable {
    /// The number of the line, counted from 1.
    var line: Int
    /// The reason for the rejection.
    var failure: Failure
  }

  /// The valid timestamps in milliseconds: from 1970 to the end of the year 9999.
  private static let instants: ClosedRange<Int64> = 0...253_402_300_799_999

  /// The events in the form for the log, in order.
  private(set) var events: [EncodedEvent] = []
  /// The gates among the events that this hub decides.
  private(set) var gates: [ApprovalGate] = []
  /// The rejected lines.
  private(set) var rejected: [Rejected] = []

  let visitor: Visitor?

  /// Creates an empty collection.
  ///
  /// - Parameter visitor: The sender of the events.
  init(from visitor: Visitor?) { self.visitor = visitor }

  /// Parses the events in the given body.
  ///
  /// - Parameters:
  ///   - body: Newline-delimited JSON.
  ///   - visitor: The sender of the events.
  init(_ body: [UInt8], from visitor: Visitor?) {
    self.init(from: visitor)
    var quick = QuickReader()
    var number = 0
    for line in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      let source = "line \(number)"
      do throws(Failure) {
        if let event = quick.event(line, ownedBy: visitor?.deviceId) {
          try Self.check(event.ts, source)
          events.append(event)
        } else {
          let event = try Self.event(RawRecord(line: Array(line), source: source))
          if let reason = Self.reason(against: event, from: visitor) {
            throw Failure(.permissionDenied, reason, input: source)
          }
          try Self.check(event.head.ts, source)
          try add(event, key: nil)
        }
      } catch {
        rejected.append(Rejected(line: number, failure: error))
      }
    }
  }

  /// Adds the given event in the form for the log.
  ///
  /// Each `srcId` is made unique to its device, except in gates that this hub decides. The `webUrl`
  /// is removed, because each hub sets its own when it sends an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - key: The key that replaces a missing `srcId`.
  /// - Throws: `BadInput` if JSON cannot represent the event, if a gate has too long an id, or if
  ///   `host` is not a name.
  mutating func add(_ event: any Event, key: String?) throws(Failure) {
    var event = event
    try Self.check(host: event.head.host)
    event.head.id = nil
    if var gate = event as? ApprovalGate {
      gate.webUrl = nil
      event = gate
      if visitor?.scope != .hub {
        try Self.check(gate)
        gate.revision = 1
        gates.append(gate.event)
        return events.append(try EncodedEvent(gate.event))
      }
    } else if var alert = event as? Alert {
      alert.webUrl = nil
      event = alert
    }
    if let id = event.head.srcId ?? key {
      event.head.srcId = (visitor?.deviceId).map { "\($0)/\(id)" } ?? id
    }
    events.append(try EncodedEvent(event))
  }

  private static func check(_ ts: Int64, _ source: String) throws(Failure) {
    guard !instants.contains(ts) else { return }
    throw Failure(.badInput, "'ts' must be a time from 1970 to 9999", input: source)
  }

  private static func check(host: String?) throws(Failure) {
    guard let host, !EventHost.isName(host) else { return }
    throw Failure(
      .badInput, "'host' must have 1 to 64 letters, digits, '.', '-' or '_'", input: "host")
  }

  /// Checks the ids by which a gate is looked up: an index holds no longer ones.
  private static func check(_ gate: ApprovalGate) throws(Failure) {
    for (name, id) in [("gateId", gate.gateId), ("stageId", gate.stageId ?? "")]
    where id.utf8.count > 1000 {
      throw Failure(.badInput, "'\(name)' must have at most 1000 bytes", input: name)
    }
  }

  /// Returns the reason why the given visitor may not send the event; nil if it may.
  static func reason(against event: any Event, from visitor: Visitor?) -> String? {
    guard visitor?.scope != .hub else { return nil }
    return switch event {
    case is TraceEvent, is Log, is Metric: nil
    case let gate as ApprovalGate where gate.status == .pending: nil
    case is ApprovalGate: "only a waiting gate can be sent: the hub decides it"
    default: "only hubs send '\(type(of: event).type)'"
    }
  }

  private static func event(_ raw: RawRecord) throws(Failure) -> any Event {
    guard let event = try EventTypes.event(raw) else {
      throw Failure(
        .badInput, "the hub does not accept '\(Visible.line(String(raw.type.prefix(64))))'",
        input: raw.source)
    }
    return event
  }

  /// The rejected lines in the form that the response has.
  var rejectedWords: [Acknowledgement.Rejected] {
    rejected.prefix(1000).map { rejected in
      Acknowledgement.Rejected(
        code: rejected.failure.code.rawValue, explanation: rejected.failure.explanation,
        line: rejected.line)
    }
  }
}
