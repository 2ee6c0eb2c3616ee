import Core

extension Project: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("project", importance: 8, leastWidth: 8, usualWidth: 16),
      TableColumn("folder", .path, importance: 6, leastWidth: 16),
      TableColumn("changed", importance: 5, leastWidth: 10),
      TableColumn("id", importance: 9, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(localPath ?? ""), row.time(lastUpdatedAt), row.id(id),
    ]
  }
}

extension Chat: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("chat", importance: 6, leastWidth: 16),
      TableColumn("changed", importance: 5, leastWidth: 10),
      TableColumn("id", importance: 9, leastWidth: 8, usualWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }

  func cells(_ row: RowContext) -> [TableCell] {
    [TableCell(title ?? "", .strong), row.time(lastUpdatedAt), row.id(id)]
  }
}

/// A message as one row of a list. A message that is shown alone is shown in full.
extension Message: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("who", importance: 5, leastWidth: 9, usualWidth: 9),
      TableColumn("what", importance: 8, leastWidth: 24),
      TableColumn("model", importance: 2, leastWidth: 17),
      TableColumn("said", importance: 4, leastWidth: 10),
      TableColumn("chat", importance: 7, leastWidth: 8),
      TableColumn("id", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id, chatId].compactMap(\.self) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(role, .strong), TableCell(text, complete == false ? .warning : .plain),
      TableCell(model ?? "", .faint), row.time(createdAt), row.id(chatId), row.id(id),
    ]
  }
}
