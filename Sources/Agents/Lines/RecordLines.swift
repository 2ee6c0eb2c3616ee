import CodingAgents
import Core
import Events
import Terminals

/// A converter of records that a command prints to events of this agent.
struct RecordLines {
  private let agent: AgentIdentity
  private var gates = 0
  /// The maximum number of gates.
  ///
  /// Further gates become log records, because nobody could decide so many.
  private static let maximumGates = 100

  init(_ agent: AgentIdentity) { self.agent = agent }

  /// Returns the event of the given line; nil if it is not a valid record.
  mutating func event(of line: JSONObject, at now: Timestamp) -> (any Event)? {
    switch line.type {
    case Log.type:
      return record(Log.self, line, at: now).map { log in
        log.with { $0.body.message = EscapeSequences.removed(from: $0.body.message) }
      }
    case Metric.type:
      return record(Metric.self, line, at: now, adding: ["scope": line.string("scope") ?? "agent"])
    case TraceEvent.type: return trace(line, now)
    case ApprovalGate.type: return gate(line, now)
    case let type where Self.texts.contains(type):
      return agent.log(.info, Self.named(type, line), at: now)
    default: return nil
    }
  }

  /// The types of records with texts of people and models.
  ///
  /// Such texts do not belong in a log.
  private static let texts: Set = [
    Artifact.type, Chat.type, Delta.type, Goal.type, Message.type, Page.type, Pipeline.type,
    Stage.type,
  ]

  /// Returns the type and the ID of the given record, as text.
  private static func named(_ type: String, _ line: JSONObject) -> String {
    guard let id = line.string("id"), id.utf8.count <= 64, !id.contains(where: \.isWhitespace)
    else { return type }
    return "\(type) \(id)"
  }

  private func trace(_ line: JSONObject, _ now: Timestamp) -> TraceEvent? {
    var added: [String: Any] = [:]
    if line.string("spanId") == nil { added["spanId"] = EventSpan.newId() }
    if line.object("attrs") == nil { added["attrs"] = [String: Any]() }
    // A record without a trace ID belongs to the run.
    if line.string("traceId") == nil {
      added["traceId"] = agent.traceId
      if line.string("parentSpanId") == nil { added["parentSpanId"] = agent.spanId }
    }
    return record(TraceEvent.self, line, at: now, adding: added)
  }

  private mutating func gate(_ line: JSONObject, _ now: Timestamp) -> ApprovalGate? {
    guard line.string("status") == GateStatus.pending.rawValue, gates < Self.maximumGates else {
      return nil
    }
    var added: [String: Any] = ["revision": 1]
    if (line.string("gateId") ?? "").isEmpty { added["gateId"] = Identifier.make() }
    if line.string("requestedAt") == nil { added["requestedAt"] = now.iso8601 }
    guard var gate = record(ApprovalGate.self, line, at: now, adding: added) else { return nil }
    gate.pipelineId = nil
    gate.stageId = nil
    gates += 1
    return gate
  }

  private func record<Record: Event>(
    _ type: Record.Type, _ line: JSONObject, at now: Timestamp, adding added: [String: Any] = [:]
  ) -> Record? {
    var values = added
    values["agentId"] = agent.agentId
    values["sessionId"] = agent.sessionId
    values["swarmId"] = agent.swarmId
    if line.count("ts") == nil { values["ts"] = now.milliseconds }
    guard let text = line.text(setting: values, dropping: agent.swarmId == nil ? "swarmId" : nil),
      // The new encoding has no escapes, which could hide a secret in a URL.
      let plain = text.contains("\\") ? try? Record(json: text).json() : text,
      // A person decides on a gate as it is written.
      var record = try? Record(
        json: type == ApprovalGate.self ? Secrets.redacted(plain) : Secrets.shown(plain))
    else { return nil }
    record.id = nil
    // The event is this agent's, whatever machine the printed one came from.
    record.host = nil
    // The prefix prevents the record from replacing an event of another run.
    record.srcId = record.srcId.map { "\(agent.sessionId):\($0)" }
    return record
  }
}
