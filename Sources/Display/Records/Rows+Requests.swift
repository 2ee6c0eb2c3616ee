import Core
import Foundation

extension ApprovalGate: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("what", importance: 8, leastWidth: 12),
      TableColumn("status", importance: 7, leastWidth: 8, usualWidth: 9),
      TableColumn("host", importance: 3, leastWidth: 6),
      TableColumn("asked", importance: 6, leastWidth: 10),
      TableColumn("by", importance: 2, leastWidth: 12),
      TableColumn("risk", importance: 5),
      TableColumn("ends", importance: 4, leastWidth: 10),
      TableColumn("id", importance: 9, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [body.gateId] }
  var machine: String? { head.host }

  func cells(_ row: RowContext) -> [TableCell] {
    let isOpen = body.status == .pending
    return [
      TableCell(body.summary, .strong), row.status(body.status), row.host(of: self),
      row.time(body.requestedAt),
      TableCell(body.requestedBy ?? "", .faint),
      TableCell(body.context?.risk ?? "", .warning),
      isOpen ? row.time(body.expiresAt) : .empty, row.id(body.gateId),
    ]
  }
}

extension RowContext {
  /// Returns the name of a requester, with the id of the device that gave itself the name.
  fileprivate func requester(_ name: String, on device: String?) -> TableCell {
    TableCell(name + (device.map { " (\(isLive ? ids.short($0) : $0))" } ?? ""))
  }
}

extension DecisionReceipt: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("status", importance: 8, leastWidth: 6, usualWidth: 9),
      TableColumn("by", importance: 6, leastWidth: 6),
      TableColumn("when", importance: 5, leastWidth: 10),
      TableColumn("reason", importance: 4, leastWidth: 8),
      TableColumn("gate", importance: 9, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [gateId, deviceId].compactMap(\.self) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      row.status(status), row.requester(actor, on: deviceId), row.time(ts), TableCell(reason ?? ""),
      row.id(gateId),
    ]
  }
}

extension Check: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("name", importance: 9, leastWidth: 8, usualWidth: 8),
      TableColumn("status", importance: 8, leastWidth: 7, usualWidth: 7),
      TableColumn("state", importance: 7, leastWidth: 20),
      TableColumn("next", importance: 6, leastWidth: 12),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [TableCell(name), row.status(status), TableCell(summary), TableCell(nextStep ?? "", .faint)]
  }
}

extension Delivery: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("status", importance: 8, leastWidth: 6, usualWidth: 6),
      TableColumn("target", importance: 9, leastWidth: 8),
      TableColumn("kind", importance: 6, leastWidth: 8),
      TableColumn("alerts", importance: 4, leastWidth: 6, usualWidth: 6),
      TableColumn("when", importance: 5, leastWidth: 10),
      TableColumn("why", importance: 7, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      row.status(status), TableCell(target), TableCell(kind.rawValue),
      row.count(count, "alert"), row.time(ts),
      TableCell(error?.explanation ?? (replayed == true ? "sent before" : ""), .faint),
    ]
  }
}

extension ControlReceipt: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("asked", importance: 8, leastWidth: 6, usualWidth: 9),
      TableColumn("of", importance: 5, leastWidth: 5, usualWidth: 5),
      TableColumn("name", importance: 9, leastWidth: 8),
      TableColumn("outcome", importance: 7, leastWidth: 7),
      TableColumn("by", importance: 4, leastWidth: 6),
      TableColumn("reason", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id, deviceId].compactMap(\.self) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(action.rawValue), TableCell(target.rawValue), row.id(id, .strong),
      TableCell(outcome.rawValue + (replayed ? " (again)" : ""), Look(status: outcome.rawValue)),
      row.requester(actor, on: deviceId), TableCell(reason),
    ]
  }
}

extension AuditEntry: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("when", importance: 7, leastWidth: 10),
      TableColumn("who", importance: 8, leastWidth: 6),
      TableColumn("asked", importance: 8, leastWidth: 7),
      TableColumn("of", importance: 4, leastWidth: 5),
      TableColumn("name", importance: 9, leastWidth: 8),
      TableColumn("outcome", importance: 6, leastWidth: 7),
      TableColumn("reason", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id, deviceId].compactMap(\.self) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      row.time(ts), row.requester(actor, on: deviceId), TableCell(action),
      TableCell(target.rawValue),
      row.id(id, .plain),
      TableCell(outcome + (replayed ? " (again)" : ""), Look(status: outcome)),
      TableCell(reason ?? ""),
    ]
  }
}

extension Threshold: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("what", importance: 8, leastWidth: 12, usualWidth: 16),
      TableColumn("for", importance: 6, leastWidth: 8),
      TableColumn("from", .number, importance: 9),
      TableColumn("unit", importance: 5),
      TableColumn("", importance: 4),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(kind.rawValue, .strong), TableCell(id ?? "all"),
      TableCell(String(format: "%g", value)), TableCell(unit),
      TableCell(then.map { "then \($0.rawValue)" } ?? (isDefault ? "default" : ""), .faint),
    ]
  }
}
