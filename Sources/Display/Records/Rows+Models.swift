import Core

extension ModelRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("model", importance: 9, leastWidth: 12, usualWidth: 18),
      TableColumn("provider", importance: 6, leastWidth: 6, usualWidth: 9),
      TableColumn("kind", importance: 3, leastWidth: 5, usualWidth: 9),
      TableColumn("context", .number, importance: 4),
      TableColumn("$/M in", .number, importance: 5),
      TableColumn("$/M out", .number, importance: 5),
      TableColumn("", importance: 7, leastWidth: 12),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, available ? .strong : .faint), TableCell(provider), TableCell(kind, .faint),
      row.count(contextTokens, "token"), price(inputPricePerMillion),
      price(outputPricePerMillion), TableCell(reason ?? "", .faint),
    ]
  }

  private func price(_ dollars: Double?) -> TableCell {
    guard let dollars else { return .empty }
    return TableCell(
      dollars == dollars.rounded() && dollars < 1e9 ? "\(Int(dollars))" : "\(dollars)")
  }
}
