import Core
import Foundation

extension Agent: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("agent", importance: 9, leastWidth: 8, usualWidth: 12),
      TableColumn("status", importance: 8, leastWidth: 10, usualWidth: 10),
      TableColumn("for", importance: 8, leastWidth: 10),
      TableColumn("host", importance: 3, leastWidth: 12),
      TableColumn("task", importance: 4, leastWidth: 16),
      TableColumn("swarm", importance: 3, leastWidth: 8),
      TableColumn("tokens", .number, importance: 5),
      TableColumn("cost", .number, importance: 5, leastWidth: 6),
      TableColumn("errors", .number, importance: 6),
      TableColumn("events", .plot, importance: 2),
      TableColumn("active", importance: 7, leastWidth: 10),
      TableColumn("id", importance: 8, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] + (swarmId.map { [$0] } ?? []) }
  var machine: String? { host }

  /// The task, and a mark if the agent's process is only a guess.
  private var shownTask: String {
    (taskSummary ?? "") + (labels?["process"] == "guess" ? " (guess)" : "")
  }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      name.map { TableCell($0, .strong) } ?? row.id(id, .strong), row.status(status),
      TableCell(waitingFor?.rawValue ?? "", waitingFor?.needsPerson == true ? .bad : .plain),
      row.host(of: self), TableCell(shownTask), row.id(swarmId),
      row.count(usage?.totalTokens, "token"), row.dollars(costUSD, known: knownCostUSD),
      row.count(errors == 0 ? nil : errors, "error", .bad), row.activity(of: id),
      row.time(waitingUntil ?? updatedAt), name == nil ? .empty : row.id(id),
    ]
  }
}

extension Swarm: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("swarm", importance: 9, leastWidth: 8, usualWidth: 12),
      TableColumn("status", importance: 8, leastWidth: 10, usualWidth: 10),
      TableColumn("host", importance: 5, leastWidth: 6),
      TableColumn("agents", .number, importance: 7),
      TableColumn("at work", .number, importance: 3),
      TableColumn("errors", .number, importance: 6),
      TableColumn("per s", .number, importance: 4),
      TableColumn("events", .plot, importance: 2),
      TableColumn("active", importance: 5, leastWidth: 10),
      TableColumn("id", importance: 6, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }
  var machine: String? { host }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      name.isEmpty || name == id ? row.id(id, .strong) : TableCell(name, .strong),
      row.status(status), row.host(of: self), row.count(agents ?? activeAgents, "agent"),
      activeAgents == 0 ? .empty : row.amount(activeAgents, "at work"),
      TableCell(errorRate == 0 ? "" : Numbers.percent(errorRate), .bad),
      TableCell(throughput == 0 ? "" : String(format: "%.1f", throughput)),
      TableCell(drawn: Plots.sparkline(history ?? [], width: 20), .accent), row.time(updatedAt),
      name.isEmpty || name == id ? .empty : row.id(id),
    ]
  }
}

extension Incident: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("level", importance: 7, leastWidth: 8, usualWidth: 8),
      TableColumn("what", importance: 8, leastWidth: 16),
      TableColumn("agent", importance: 6, leastWidth: 8),
      TableColumn("times", .number, importance: 4),
      TableColumn("status", importance: 2, leastWidth: 6),
      TableColumn("seen", importance: 5, leastWidth: 10),
      TableColumn("id", importance: 9, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] + (agentId.map { [$0] } ?? []) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(severity.rawValue, Look(severity)), TableCell(summary), row.id(agentId, .plain),
      TableCell(count == 1 ? "" : "\(count)×"),
      status == .open ? .empty : row.status(status), row.time(updatedAt), row.id(id),
    ]
  }
}

extension ResponseTimes: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("alerts", .number, importance: 9),
      TableColumn("looked at", .number, importance: 8),
      TableColumn("median", .number, importance: 7, leastWidth: 6),
      TableColumn("p95", .number, importance: 5, leastWidth: 6),
      TableColumn("acted on", .number, importance: 8),
      TableColumn("median", .number, importance: 6, leastWidth: 6),
      TableColumn("p95", .number, importance: 4, leastWidth: 6),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    let time = { (seconds: Double?) in TableCell(seconds.map(Ago.span) ?? "") }
    return [
      row.amount(alerted, "alerts"), row.amount(seen, "looked at"), time(seenMedianSeconds),
      time(seenP95Seconds), row.amount(controlled, "acted on"), time(controlMedianSeconds),
      time(controlP95Seconds),
    ]
  }
}

extension ContextHealth: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("agent", importance: 9, leastWidth: 8, usualWidth: 12),
      TableColumn("context", .plot, importance: 6),
      TableColumn("full", .number, importance: 8),
      TableColumn("tokens", .number, importance: 5),
      TableColumn("lately", .plot, importance: 2),
      TableColumn("repeated", .number, importance: 4),
      TableColumn("model", importance: 3, leastWidth: 8),
      TableColumn("warnings", importance: 7, leastWidth: 8),
      TableColumn("session", importance: 2, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [agentId, sessionId] }

  /// The fraction of the context that is used; nil if the size of the context is unknown.
  var fullness: Double? { maxTokens.map { Double(tokenUsage) / Double(max(1, $0)) } }

  func cells(_ row: RowContext) -> [TableCell] {
    let look = fullness.map { $0 >= 0.9 ? Look.bad : $0 >= 0.7 ? .warning : .good } ?? .plain
    let size = maxTokens.map { " of \(Numbers.short($0))" } ?? ""
    return [
      row.id(agentId, .strong),
      TableCell(drawn: fullness.map { Plots.gauge($0, width: 10) } ?? "", look),
      TableCell(fullness.map(Numbers.percent) ?? "?", look),
      TableCell(Numbers.short(tokenUsage) + size),
      TableCell(
        drawn: history.map { Plots.sparkline($0.count > 1 ? $0 : [], width: 20) } ?? "", .accent),
      TableCell(redundancyScore.map(Numbers.percent) ?? ""), TableCell(model ?? "", .faint),
      TableCell(warnings.joined(separator: " "), .warning),
      sessionId == agentId ? .empty : row.id(sessionId),
    ]
  }
}

extension SkillHealth: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("skill", importance: 9, leastWidth: 12, usualWidth: 24),
      TableColumn("in a", importance: 5),
      TableColumn("calls", .number, importance: 6),
      TableColumn("failed", .number, importance: 8),
      TableColumn("p95", .number, importance: 7, leastWidth: 6),
      TableColumn("", importance: 4),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name.isEmpty ? skillId : name, .strong), TableCell(window.rawValue),
      row.count(calls, "call"),
      TableCell(errorRate.map(Numbers.percent) ?? "", errorRate ?? 0 > 0 ? .bad : .plain),
      TableCell(p95LatencyMs.map { Ago.span($0 / 1000) } ?? ""),
      TableCell(isSpiking ? "spike" : "", .warning),
    ]
  }
}
