import Core

extension Pipeline: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("goal", importance: 8, leastWidth: 12),
      TableColumn("status", importance: 7, leastWidth: 9, usualWidth: 9),
      TableColumn("stages", .number, importance: 2),
      TableColumn("tokens", .number, importance: 3),
      TableColumn("cost", .number, importance: 6),
      TableColumn("made", importance: 5, leastWidth: 10),
      TableColumn("id", importance: 9, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      emptyReason.map { TableCell("\(Self.words(empty: $0)): \(goal)", .warning) }
        ?? TableCell(goal, .strong),
      row.status(status), row.count(stageCount, "stage"),
      row.count(usage?.totalTokens, "token"),
      row.dollars(costUSD, known: knownCostUSD, isKnown: finishedAt != nil),
      row.time(createdAt), row.id(id),
    ]
  }

  private static func words(empty reason: String) -> String {
    switch reason {
    case "noSources": "no page, no model"
    case "noQuotes": "nothing to quote"
    default: "empty (\(reason))"
    }
  }
}

extension Stage: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("", .number, importance: 4, leastWidth: 1, usualWidth: 3),
      TableColumn("role", importance: 9, leastWidth: 10, usualWidth: 11),
      TableColumn("status", importance: 8, leastWidth: 9, usualWidth: 9),
      TableColumn("time", .number, importance: 6, leastWidth: 5, usualWidth: 6),
      TableColumn("tokens", .number, importance: 5),
      TableColumn("cost", .number, importance: 5),
      TableColumn("task", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    let end = finishedAt ?? (status == .running && row.isLive ? row.now : nil)
    let seconds = startedAt.flatMap { start in end.map { max(0, $0.seconds(since: start)) } }
    return [
      TableCell("\(position)", .faint), TableCell(role.rawValue, .strong),
      status == .running && row.thinking.contains(id)
        ? TableCell("thinking", row.status(status).look) : row.status(status),
      TableCell(seconds.map(Ago.span) ?? ""),
      row.count(usage?.totalTokens, "token"),
      usage == nil ? .empty : row.dollars(costUSD, known: knownCostUSD, isKnown: true),
      error.map { TableCell($0.explanation, .bad) } ?? TableCell(task),
    ]
  }
}

extension FileRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("status", importance: 2, leastWidth: 9, usualWidth: 9),
      TableColumn("file", .path, importance: 9, leastWidth: 20),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    let others = beside.map { ", beside \(row.path($0)), which was changed by hand" } ?? ""
    return [row.status(status), TableCell(row.path(path) + others)]
  }
}

extension URLRecord: TabledRecord {
  static var columns: [TableColumn] { [TableColumn("url", importance: 9, leastWidth: 20)] }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] { [TableCell(url)] }
}
