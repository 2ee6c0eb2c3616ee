import Core

extension Adoption: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("program", importance: 9, leastWidth: 6, usualWidth: 8),
      TableColumn("files", .number, importance: 5),
      TableColumn("sessions", .number, importance: 6),
      TableColumn("active", .number, importance: 8),
      TableColumn("certain", .number, importance: 7),
      TableColumn("unknown", .number, importance: 4),
      TableColumn("tried with", importance: 3, leastWidth: 6),
      TableColumn("written by", importance: 2, leastWidth: 6),
      TableColumn("in", importance: 1, leastWidth: 12),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    let kinds = unknownEntries.values.reduce(unreadable) { $0 + min(max(0, $1), 1_000_000_000) }
    return [
      TableCell(agent, .strong), row.count(files, "file"), row.count(sessions, "session"),
      row.amount(active, "active"), row.amount(certain, "certain"), row.amount(kinds, "unknown"),
      TableCell(tried.joined(separator: ", ")), TableCell(versions.joined(separator: ", ")),
      TableCell(places.joined(separator: ", ")),
    ]
  }
}
