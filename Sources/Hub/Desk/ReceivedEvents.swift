import Core
import Events
import HubWords

/// Events as somebody sends them: those of each line that is one, and what is wrong with the others.
struct ReceivedEvents: Sendable {
  /// A line that was not taken.
  struct Rejected: Sendable {
    /// Its number, from 1.
    var line: Int
    /// Why.
    var failure: Failure
  }

  /// From 1970 to the end of 9999, in milliseconds: what all can count with.
  private static let instants: ClosedRange<Int64> = 0...253_402_300_799_999

  /// The events as the log is to have them, in their order.
  private(set) var events: [EncodedEvent] = []
  /// The gates among them that this hub is to decide.
  private(set) var gates: [ApprovalGate] = []
  /// The lines that are none.
  private(set) var rejected: [Rejected] = []

  let visitor: Visitor?

  /// Begins with nothing.
  ///
  /// - Parameter visitor: Who sends the events.
  init(from visitor: Visitor?) { self.visitor = visitor }

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - body: Newline-delimited JSON.
  ///   - visitor: Who sends them.
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

  /// Adds an event as the log is to have it.
  ///
  /// A `srcId` is unique within the device that sends it, but for a gate that is this hub's to decide:
  /// of each of its states the log has one event. Where something is to be seen is for the hub to say
  /// that sends it on.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - key: What it is known by where it has no `srcId`.
  /// - Throws: `BadInput` for an event that JSON cannot express.
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

  /// Why an event may not come from somebody; nil where it may.
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

  /// The rejected lines as the answer has them.
  var rejectedWords: [Acknowledgement.Rejected] {
    rejected.prefix(1000).map { rejected in
      Acknowledgement.Rejected(
        code: rejected.failure.code.rawValue, explanation: rejected.failure.explanation,
        line: rejected.line)
    }
  }
}
