import Core

extension Device: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("device", importance: 9, leastWidth: 8, usualWidth: 16),
      TableColumn("may", importance: 6, leastWidth: 6, usualWidth: 6),
      TableColumn("registered", importance: 5, leastWidth: 10),
      TableColumn("seen", importance: 7, leastWidth: 10),
      TableColumn("status", importance: 8, leastWidth: 7),
      TableColumn("shows itself", importance: 2, leastWidth: 7),
      TableColumn("hub", importance: 4, leastWidth: 10),
      TableColumn("id", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [id] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(scope?.rawValue ?? ""), row.time(createdAt),
      row.time(lastSeenAt),
      revoked ? TableCell("revoked", .bad) : TableCell(connectedAt == nil ? "" : "connected"),
      TableCell(auth ?? ""), TableCell(hub ?? "", .faint), row.id(id),
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

extension PairedHost: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("host", importance: 9, leastWidth: 8, usualWidth: 16),
      TableColumn("url", importance: 8, leastWidth: 16),
      TableColumn("paired", importance: 7, leastWidth: 10),
      TableColumn("shows itself", importance: 5, leastWidth: 10),
      TableColumn("id there", importance: 3, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [deviceId].compactMap(\.self) }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(url), row.time(pairedAt),
      TableCell(signs.map { $0 ? "signed" : "address" } ?? ""),
      deviceId.map { row.id($0) } ?? TableCell(""),
    ]
  }
}

extension PairingStatus: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("host", importance: 9, leastWidth: 8),
      TableColumn("status", importance: 8, leastWidth: 12),
      TableColumn("device", importance: 7, leastWidth: 8),
      TableColumn("since", importance: 6, leastWidth: 10),
      TableColumn("seen", importance: 5, leastWidth: 10),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(host ?? url, .strong),
      TableCell(connected ? "connected" : "not connected", connected ? .good : .faint),
      TableCell(connectedDevice?.name ?? ""), row.time(connectedDevice?.connectedAt),
      row.time(connectedDevice?.lastSeenAt),
    ]
  }
}
