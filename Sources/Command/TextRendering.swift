import Core
import Foundation

/// Records as text for a person at a terminal: aligned, and with every control character visible.
enum TextRendering {
  static func text(_ record: any StreamRecord) throws(Failure) -> String? {
    if let text = known(record) { return text }
    return Visible.line(try record.json()) + "\n"
  }

  private static func known(_ record: any StreamRecord) -> String? {
    switch record {
    case let pipeline as Pipeline: line(pipeline)
    case let stage as Stage: line(stage)
    case let delta as Delta: Visible.text(delta.text, keepingLines: true)
    case let artifact as Artifact: document(artifact.title, artifact.content)
    case let chat as Chat: columns([(chat.id, 36), (chat.title ?? "", 0)])
    case let message as Message: document(message.role, message.text)
    case let page as Page: document(page.title ?? page.url, page.markdown ?? page.text ?? "")
    case let file as FileRecord:
      columns([
        (file.status.rawValue, 9),
        (file.path + (file.beside.map { ", beside \($0), which was changed by hand" } ?? ""), 0),
      ])
    case let gate as ApprovalGate: line(gate)
    case let receipt as DecisionReceipt: line(receipt)
    case let key as KeyRecord: line(key)
    case let key as HostKeyRecord: line(key)
    case let url as URLRecord: columns([(url.url, 0)])
    default: watched(record)
    }
  }

  /// Values side by side, each padded to its width.
  static func columns(_ values: [(text: String, width: Int)]) -> String {
    values.map { value in
      let text = Visible.line(value.text)
      return text + String(repeating: " ", count: max(0, value.width - text.count))
    }.joined(separator: "  ") + "\n"
  }

  /// US dollars with the places that small sums need.
  static func dollars(_ cost: Double?) -> String {
    cost.map { String(format: $0 < 0.1 ? "$%.4f" : "$%.2f", $0) } ?? "$?"
  }

  static func line(_ pipeline: Pipeline) -> String {
    columns([
      (pipeline.id, 36), (pipeline.status.rawValue, 9), (dollars(pipeline.costUSD), 8),
      (String(Visible.line(pipeline.goal).prefix(60)), 0),
    ])
  }

  static func line(_ stage: Stage) -> String {
    let seconds = stage.startedAt.flatMap { start in
      stage.finishedAt.map { String(format: "%.1f s", $0.seconds(since: start)) }
    }
    return columns([
      ("\(stage.position)", 3), (stage.role.rawValue, 11), (stage.status.rawValue, 9),
      (seconds ?? "", 8), (stage.usage.map { "\($0.totalTokens) tokens" } ?? "", 14),
      (stage.usage == nil ? "" : dollars(stage.costUSD), 8),
      (String(Visible.line(stage.task).prefix(60)), 0),
    ])
  }

  static func line(_ gate: ApprovalGate) -> String {
    columns([
      (gate.gateId, 36), (gate.status.rawValue, 9), (gate.requestedAt.iso8601, 24),
      (gate.summary, 0),
    ])
  }

  private static func line(_ receipt: DecisionReceipt) -> String {
    columns([
      (receipt.gateId, 36), (receipt.status.rawValue, 9),
      (Timestamp(milliseconds: receipt.ts).iso8601, 24), (receipt.actor, 12),
      (receipt.reason ?? "", 0),
    ])
  }

  private static func document(_ title: String, _ body: String) -> String {
    let heading = Visible.line(title)
    let rule = String(repeating: "=", count: min(79, heading.count))
    return "\(heading)\n\(rule)\n\n\(Visible.text(body, keepingLines: true))\n\n"
  }
}
