import Core
import Events
import HubWords
import Signing

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

  /// The events, in their order.
  private(set) var events: [any Event] = []
  /// The lines that are none.
  private(set) var rejected: [Rejected] = []

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - body: Newline-delimited JSON.
  ///   - visitor: Who sends them.
  init(_ body: [UInt8], from visitor: Visitor?) {
    var quick = QuickReader()
    var number = 0
    for line in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      do throws(Failure) {
        let source = "line \(number)"
        let quickly = quick.event(line)
        let sent =
          if let quickly { quickly } else {
            try Self.event(RawRecord(line: Array(line), source: source))
          }
        let event = Self.owned(sent, key: nil, by: visitor)
        if let reason = Self.reason(against: event, from: visitor) {
          throw Failure(.permissionDenied, reason, input: source)
        }
        guard Self.instants.contains(event.head.ts) else {
          throw Failure(.badInput, "'ts' is no instant from 1970 to 9999", input: source)
        }
        events.append(event)
      } catch {
        rejected.append(Rejected(line: number, failure: error))
      }
    }
  }

  /// An event as the log is to have it.
  ///
  /// A `srcId` is unique within the device that sends it, but for a gate that is this hub's to decide:
  /// of each of its states the log has one event. Where something is to be seen is for the hub to say
  /// that sends it on.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - key: What it is known by where it has no `srcId`.
  ///   - visitor: Who sends it.
  /// - Returns: The event.
  static func owned(_ event: any Event, key: String?, by visitor: Visitor?) -> any Event {
    var event = event
    event.head.id = nil
    if var gate = event as? ApprovalGate {
      gate.webUrl = nil
      event = gate
      if visitor?.scope != .hub {
        gate.revision = 1
        return gate.event
      }
    } else if var alert = event as? Alert {
      alert.webUrl = nil
      event = alert
    }
    guard let id = event.head.srcId ?? key else { return event }
    event.head.srcId = (visitor?.deviceId).map { "\($0)/\(id)" } ?? id
    return event
  }

  /// Why an event may not come from somebody; nil where it may.
  static func reason(against event: any Event, from visitor: Visitor?) -> String? {
    guard visitor?.scope != .hub else { return nil }
    return switch event {
    case is TraceEvent, is Log, is Metric: nil
    case let gate as ApprovalGate where gate.status == .pending: nil
    case is ApprovalGate: "only a gate that waits can be sent: it is decided at the hub"
    default: "'\(type(of: event).type)' comes from hubs alone"
    }
  }

  private static func event(_ raw: RawRecord) throws(Failure) -> any Event {
    guard let event = try EventTypes.event(raw) else {
      throw Failure(
        .badInput, "the hub takes no '\(Visible.line(String(raw.type.prefix(64))))'",
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
