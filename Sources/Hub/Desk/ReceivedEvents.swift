import Core
import Events
import HubWords

/// The events of a request: those of the valid lines, and the faults of the others.
struct ReceivedEvents: Sendable {
  /// A line that was not accepted.
  struct Rejected: Sendable {
    /// The number of the line, from 1.
    var line: Int
    /// The reason for the rejection.
    var failure: Failure
  }

  /// The valid timestamps, from 1970 to the end of 9999, in milliseconds.
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

  /// Parses lines.
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

  /// Adds an event in the form for the log.
  ///
  /// A `srcId` is unique within its device, except for a gate that this hub decides, of which the
  /// log has one event per state. The `webUrl` is removed: the hub that sends an event on sets its
  /// own.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - key: The key that replaces a missing `srcId`.
  /// - Throws: `BadInput` for an event that JSON cannot represent.
  mutating func add(_ event: any Event, key: String?) throws(Failure) {
    var event = event
    event.head.id = nil
    if var gate = event as? ApprovalGate {
      gate.webUrl = nil
      event = gate
      if visitor?.scope != .hub {
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

  /// Returns the reason why a visitor may not send an event; nil if it may.
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

  /// The rejected lines in the form of the response.
  var rejectedWords: [Acknowledgement.Rejected] {
    rejected.prefix(1000).map { rejected in
      Acknowledgement.Rejected(
        code: rejected.failure.code.rawValue, explanation: rejected.failure.explanation,
        line: rejected.line)
    }
  }
}
