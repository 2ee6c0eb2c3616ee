import Core
import Events

/// Events as somebody sends them: those of each line that is one, and what is wrong with the others.
struct ReceivedEvents: Sendable {
  /// A line that was not taken.
  struct Rejected: Sendable {
    /// Its number, from 1.
    var line: Int
    /// Why.
    var failure: Failure
  }

  /// The events, in their order.
  private(set) var events: [any Event] = []
  /// The gates among them that wait for a decision.
  private(set) var gates: [ApprovalGate] = []
  /// The lines that are none.
  private(set) var rejected: [Rejected] = []

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - body: Newline-delimited JSON.
  ///   - source: The device that sends them, within which a `srcId` is unique; nil for this machine.
  ///   - takesAll: Whether events that only hubs tell are taken, too.
  init(_ body: [UInt8], from source: String?, takesAll: Bool) {
    var number = 0
    for line in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      do throws(Failure) {
        let raw = try RawRecord(line: Array(line), source: "line \(number)")
        var event = try Self.event(raw, takesAll: takesAll)
        if let source, let id = event.head.srcId { event.head.srcId = "\(source)/\(id)" }
        event.head.id = nil
        if let gate = event as? ApprovalGate, !takesAll { gates.append(gate) }
        events.append(event)
      } catch {
        rejected.append(Rejected(line: number, failure: error))
      }
    }
  }

  private static func event(_ raw: RawRecord, takesAll: Bool) throws(Failure) -> any Event {
    switch raw.type {
    case TraceEvent.type: return try TraceEvent(raw)
    case Log.type: return try Log(raw)
    case Metric.type: return try Metric(raw)
    case ApprovalGate.type:
      let gate = try ApprovalGate(raw)
      guard takesAll || gate.status == .pending else {
        throw Failure(
          .permissionDenied, "only a gate that waits can be sent: it is decided at the hub",
          input: raw.source)
      }
      return gate
    case Control.type where takesAll: return try Control(raw)
    case Alert.type where takesAll: return try Alert(raw)
    default:
      throw Failure(
        .badInput, "the hub takes no '\(Visible.line(String(raw.type.prefix(64))))'",
        input: raw.source)
    }
  }

  /// The rejected lines as the answer has them.
  var rejectedJSON: String {
    let items = rejected.prefix(1000).map { rejected in
      "{\"code\":\"\(rejected.failure.code.rawValue)\",\"explanation\":"
        + HubJSON.text(rejected.failure.explanation) + ",\"line\":\(rejected.line)}"
    }
    return "[" + items.joined(separator: ",") + "]"
  }
}
