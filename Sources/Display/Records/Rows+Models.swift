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

  /// Returns notes on the model: its retirement, the age of its price, or why it is unavailable.
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

  /// The reason why the model is unavailable.
  ///
  /// It leaves out the model's name, because the row already shows that.
  private var why: String {
    let reason = reason ?? ""
    let name = ["'\(name)' ", "'\(provider)' ", "'\(name.dropFirst(provider.count + 1))' "]
      .first { reason.hasPrefix($0) }
    return String(reason.dropFirst(name?.count ?? 0))
  }

  private func price(_ dollars: Double?) -> TableCell {
    dollars == nil ? .empty : TableCell(Numbers.perMillion(dollars))
  }
}

extension PriceChange: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("model", importance: 9, leastWidth: 26, usualWidth: 18),
      TableColumn("provider", importance: 2, leastWidth: 10, usualWidth: 9),
      TableColumn("from", importance: 6, leastWidth: 10),
      TableColumn("$/M in", .number, importance: 8),
      TableColumn("$/M out", .number, importance: 8),
      TableColumn("also", importance: 3, leastWidth: 14),
      TableColumn("", importance: 7, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(provider), TableCell(from ?? "now", .faint),
      TableCell(Self.move(before?.inputPricePerMillion, after.inputPricePerMillion)),
      TableCell(Self.move(before?.outputPricePerMillion, after.outputPricePerMillion)),
      TableCell(minorMoves.joined(separator: "; "), .faint), note,
    ]
  }

  private var note: TableCell {
    let left = kept == false ? ", left out" : ""
    if tenfold { return TableCell("tenfold" + left, .bad) }
    return TableCell((before == nil ? "new" : "changed") + left, before == nil ? .good : .plain)
  }
}
