import Core

extension ToolRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("tool", importance: 9, leastWidth: 16, usualWidth: 18),
      TableColumn("source", importance: 8, leastWidth: 10, usualWidth: 12),
      TableColumn("what", importance: 6, leastWidth: 20),
      TableColumn("listed", importance: 2, leastWidth: 10),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(source), TableCell(description ?? title ?? ""),
      row.time(listedAt),
    ]
  }
}
