import Core

extension ModelRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("model", importance: 9, leastWidth: 26, usualWidth: 18),
      TableColumn("provider", importance: 2, leastWidth: 10, usualWidth: 9),
      TableColumn("kind", importance: 3, leastWidth: 5, usualWidth: 9),
      TableColumn("context", .number, importance: 4),
      TableColumn("$/M in", .number, importance: 5),
      TableColumn("$/M out", .number, importance: 5),
      TableColumn("", importance: 7, leastWidth: 20),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, available ? .strong : .faint), TableCell(provider), TableCell(kind, .faint),
      row.count(contextTokens, "token"), price(inputPricePerMillion),
      price(outputPricePerMillion), TableCell(why, .faint),
    ]
  }

  /// Why it cannot be asked, without its name: that stands in the row.
  private var why: String {
    let reason = reason ?? ""
    let name = ["'\(name)' ", "'\(provider)' ", "'\(name.dropFirst(provider.count + 1))' "]
      .first { reason.hasPrefix($0) }
    return String(reason.dropFirst(name?.count ?? 0))
  }

  private func price(_ dollars: Double?) -> TableCell {
    guard let dollars else { return .empty }
    return TableCell(
      dollars == dollars.rounded() && dollars < 1e9 ? "\(Int(dollars))" : "\(dollars)")
  }
}
