import Signing

extension Device: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("device", importance: 9, leastWidth: 8, usualWidth: 16),
      TableColumn("may", importance: 6, leastWidth: 6, usualWidth: 6),
      TableColumn("registered", importance: 5, leastWidth: 10),
      TableColumn("seen", importance: 7, leastWidth: 10),
      TableColumn("status", importance: 8, leastWidth: 7),
      TableColumn("hub", importance: 4, leastWidth: 10),
      TableColumn("id", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(scope?.rawValue ?? ""), row.time(createdAt),
      row.time(lastSeenAt), TableCell(revoked ? "revoked" : "", .bad), TableCell(hub ?? "", .faint),
      row.id(id),
    ]
  }
}

extension Pairing: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("code", importance: 9, leastWidth: 11),
      TableColumn("ends", importance: 8, leastWidth: 8),
      TableColumn("may", importance: 7, leastWidth: 6),
      TableColumn("name", importance: 6, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(code, .strong), row.time(expiresAt), TableCell(scope.rawValue),
      TableCell(name ?? ""),
    ]
  }
}
