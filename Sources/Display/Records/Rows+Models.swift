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
      price(outputPricePerMillion), TableCell(notes(row.now), .faint),
    ]
  }

  /// What a person should know before asking it: its end, the age of its price, why it cannot be asked.
  private func notes(_ now: Timestamp) -> String {
    let end = retires.map { "retires \($0)" + (replacement.map { ": use \($0)" } ?? "") }
    return [end, priceNote(now), why.isEmpty ? nil : why].compactMap(\.self).joined(separator: "; ")
  }

  private func priceNote(_ now: Timestamp) -> String? {
    guard inputPricePerMillion != nil || outputPricePerMillion != nil else {
      return kind == "image" || provider == "apple" ? nil : "price unknown"
    }
    guard let pricesAsOf, let day = Timestamp(iso8601: pricesAsOf + "T00:00:00Z"),
      now.seconds(since: day) >= 91 * 86_400
    else { return nil }
    return "price of \(pricesAsOf), over 90 days old"
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
