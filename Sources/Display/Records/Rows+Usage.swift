import Core

extension UsageSum: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("of", importance: 9, leastWidth: 20, usualWidth: 10),
      TableColumn("tokens", .number, importance: 8),
      TableColumn("", .plot, importance: 3),
      TableColumn("cost", .number, importance: 7),
      TableColumn("", .plot, importance: 2),
      TableColumn("calls", .number, importance: 6),
      TableColumn("in", .number, importance: 1),
      TableColumn("out", .number, importance: 1),
      TableColumn("cached", .number, importance: 1),
      TableColumn("id", importance: 5, leastWidth: 8),
    ]
  }

  var firstHeading: String? { by.rawValue }

  var shownIDs: [String] { hasId ? [key] : [] }

  private var hasId: Bool { [.swarm, .project, .session, .run].contains(by) }

  var measures: [Double] { [Double(tokens), costUSD ?? knownCostUSD ?? 0] }

  func cells(_ row: RowContext) -> [TableCell] {
    let isNamed = name.map { !$0.isEmpty && $0 != key } ?? false
    let whole = hasId ? row.id(key, .strong) : TableCell(key, .strong)
    return [
      key.isEmpty
        ? TableCell(by == .model ? "unknown" : "none", .faint)
        : isNamed ? TableCell(name ?? "", .strong) : whole,
      row.count(tokens, "token"), row.bar(0, of: self, .accent),
      TableCell(Numbers.dollars(costUSD, known: knownCostUSD)),
      row.bar(1, of: self, .good), row.count(calls, "call"),
      row.amount(inputTokens, "in"), row.amount(outputTokens, "out"),
      row.amount(cacheReadTokens, "cached"), isNamed ? row.id(key) : .empty,
    ]
  }
}
