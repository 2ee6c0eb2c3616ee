import Core
import Events

@testable import Agents

/// The events of lines as short texts.
enum EventTexts {
  static let agent = AgentIdentity(agentId: "a", swarmId: "s", task: "t")

  /// The events of lines, each as a short text: what it is, and what it holds.
  ///
  /// The last text is what the run used.
  static func of(
    _ lines: [String], ending: Bool = true, contexts: [String: Int] = [:], at now: Timestamp = .now
  ) -> (texts: [String], report: RunReport) {
    var reader = OutputLines(agent, contexts: contexts)
    var events: [any Event] = []
    for line in lines {
      let bytes = Array(line.utf8)
      events += reader.events(
        of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .output, at: now)
    }
    if ending { events += reader.end(at: now) }
    let texts = events.map(short) + [attributes(reader.usage.named)].filter { !$0.isEmpty }
    return (texts, reader.report)
  }

  private static func short(_ event: any Event) -> String {
    switch event {
    case let log as Log: return "\(log.level) \(log.message)"
    case let trace as TraceEvent:
      let own = ["gen_ai.operation.name", "gen_ai.agent.name"]
      let phase = trace.phase.map { " \($0)" } ?? ""
      let place = trace.parentSpanId.map { $0 == agent.spanId ? "" : " below" } ?? " run"
      return "\(trace.name)\(phase)\(place) "
        + attributes(trace.attrs.filter { !own.contains($0.key) })
    default: return "\(type(of: event))"
    }
  }

  private static func attributes(_ attrs: [String: JSONValue]) -> String {
    attrs.sorted { $0.key < $1.key }.map { name, value in
      let text =
        switch value {
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        case .null, .array, .object: "\(value)"
        }
      return "\(name.split(separator: ".").suffix(2).joined(separator: "."))=\(text)"
    }.joined(separator: " ")
  }
}

extension String {
  /// The words in an order of their own, so that attributes may come in any.
  var sortedWords: String { split(separator: " ").sorted().joined(separator: " ") }
}
