import Core
import Foundation

/// What is watched, as lines for a person.
extension TextRendering {
  static func watched(_ record: any StreamRecord) -> String? {
    switch record {
    case let swarm as Swarm: line(swarm)
    case let agent as Agent: line(agent)
    case let incident as Incident: line(incident)
    case let context as ContextHealth: line(context)
    case let skill as SkillHealth: line(skill)
    case let terminal as TerminalSession: line(terminal)
    case let threshold as Threshold: line(threshold)
    case let entry as AuditEntry: line(entry)
    case let receipt as ControlReceipt: line(receipt)
    case let overview as Overview: text(overview)
    default: shown(record)
    }
  }

  private static func line(_ swarm: Swarm) -> String {
    columns([
      (swarm.id, 36), (swarm.status.rawValue, 10), ("\(swarm.activeAgents) active", 10),
      ("\(percent(swarm.errorRate)) errors", 12),
      (String(format: "%.1f/s", swarm.throughput), 9), (sparkline(swarm.history ?? []), 0),
    ])
  }

  private static func line(_ agent: Agent) -> String {
    columns([
      (agent.id, 36), (agent.status.rawValue, 10), (ago(agent.updatedAt), 8),
      ("\(agent.errors) errors", 10), (agent.costUSD == nil ? "" : dollars(agent.costUSD), 8),
      (agent.swarmId ?? "", 12), (agent.taskSummary ?? "", 0),
    ])
  }

  private static func line(_ incident: Incident) -> String {
    columns([
      (incident.id, 36), (incident.status.rawValue, 6), (incident.severity.rawValue, 8),
      ("\(incident.count)×", 7), (ago(incident.updatedAt), 8), (incident.agentId ?? "", 12),
      (incident.summary, 0),
    ])
  }

  private static func line(_ context: ContextHealth) -> String {
    let fullness = context.maxTokens.map { Double(context.tokenUsage) / Double(max(1, $0)) }
    return columns([
      (context.sessionId, 36), (bar(fullness), 12), (fullness.map(percent) ?? "?", 5),
      ("\(context.tokenUsage) tokens", 16),
      (context.redundancyScore.map { "\(percent($0)) repeated" } ?? "", 14),
      (context.agentId, 12), (context.warnings.joined(separator: " "), 0),
    ])
  }

  private static func line(_ skill: SkillHealth) -> String {
    columns([
      (skill.skillId, 24), (skill.window.rawValue, 4), ("\(skill.calls) calls", 11),
      (skill.errorRate.map { "\(percent($0)) fail" } ?? "", 10),
      (skill.p95LatencyMs.map { String(format: "p95 %.0f ms", $0) } ?? "", 14),
      (skill.isSpiking ? "spike" : "", 0),
    ])
  }

  private static func line(_ terminal: TerminalSession) -> String {
    columns([
      (terminal.id, 5), (terminal.name, 20), ("\(terminal.windows) windows", 10),
      ("\(terminal.attached) attached", 10), ("\(terminal.width)x\(terminal.height)", 8),
      (ago(terminal.activityAt), 8), (terminal.agentId ?? "", 12), (terminal.status ?? "", 0),
    ])
  }

  private static func line(_ threshold: Threshold) -> String {
    columns([
      (threshold.kind.rawValue, 16), (threshold.id ?? "all", 24),
      (String(format: "%g", threshold.value), 8), (threshold.unit, 10),
      (threshold.isDefault ? "default" : "", 0),
    ])
  }

  private static func line(_ entry: AuditEntry) -> String {
    columns([
      (Timestamp(milliseconds: entry.ts).iso8601, 24), (entry.actor, 12), (entry.action, 10),
      (entry.target.rawValue, 9), (entry.id, 36),
      (entry.outcome + (entry.replayed ? " (again)" : ""), 12), (entry.reason ?? "", 0),
    ])
  }

  private static func line(_ receipt: ControlReceipt) -> String {
    columns([
      (receipt.action.rawValue, 9), (receipt.target.rawValue, 5), (receipt.id, 36),
      (receipt.outcome.rawValue + (receipt.replayed ? " (again)" : ""), 11), (receipt.actor, 12),
      (receipt.reason, 0),
    ])
  }

  private static func text(_ overview: Overview) -> String {
    let cards = overview.summaryCards
    func card(_ value: Double?) -> String { value.map(percent) ?? "-" }
    var text = columns([
      ("fullest context \(card(cards.contextRisk))", 22),
      ("failing calls \(card(cards.skillFailureRate))", 20),
      ("healthy swarms \(card(cards.swarmHealth))", 0),
    ])
    let sections: [(String, [any StreamRecord])] = [
      ("Incidents", overview.activeIncidents), ("Gates", overview.pendingGates),
      ("Swarms", overview.activeSwarms), ("Agents", overview.activeSessions),
    ]
    for (title, records) in sections where !records.isEmpty {
      text += "\n\(title)\n" + records.map { watched($0) ?? gate($0) }.joined()
    }
    return text
  }

  private static func gate(_ record: any StreamRecord) -> String {
    (record as? ApprovalGate).map { line($0) } ?? ""
  }

  private static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

  private static func ago(_ instant: Timestamp) -> String {
    let seconds = max(0, Int(Timestamp.now.seconds(since: instant)))
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// Thirty bars of two steps each, the highest as high as the most.
  private static func sparkline(_ history: [Int]) -> String {
    let sums = stride(from: 0, to: history.count, by: 2).map {
      history[$0..<min($0 + 2, history.count)].reduce(0, +)
    }
    let most = sums.max() ?? 0
    guard most > 0 else { return "" }
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
      sums.map { $0 == 0 ? " " : bars[min(7, $0 * 8 / (most + 1))] })
  }

  private static func bar(_ part: Double?) -> String {
    guard let part else { return "" }
    let full = min(10, Int((part * 10).rounded()))
    return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: 10 - full)
      + "]"
  }
}
