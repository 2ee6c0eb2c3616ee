import Core

extension TerminalSession: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("session", importance: 9, leastWidth: 8, usualWidth: 12),
      TableColumn("windows", .number, importance: 5),
      TableColumn("attached", .number, importance: 4),
      TableColumn("size", importance: 3, leastWidth: 6),
      TableColumn("active", importance: 7, leastWidth: 10),
      TableColumn("agent", importance: 8, leastWidth: 6),
      TableColumn("status", importance: 6, leastWidth: 6),
      TableColumn("id", importance: 2, leastWidth: 2),
    ]
  }

  var shownIDs: [String] { agentId.map { [$0] } ?? [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), row.count(windows, "window"),
      row.count(attached == 0 ? nil : attached, "client"),
      TableCell("\(width)x\(height)", .faint),
      row.time(activityAt), row.id(agentId, .plain),
      TableCell(status ?? "", Look(status: status ?? "")), TableCell(id, .faint),
    ]
  }
}

extension HostKeyRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      // An address with its port, a status and a whole fingerprint fit into 80 columns.
      TableColumn("host", importance: 8, leastWidth: 18, usualWidth: 24),
      TableColumn("status", importance: 7, leastWidth: 8, usualWidth: 8),
      TableColumn("fingerprint", importance: 9, leastWidth: 50),
      TableColumn("algorithm", importance: 5, leastWidth: 11),
      TableColumn("file", .path, importance: 3, leastWidth: 10),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(host, .strong), row.status(status), TableCell(fingerprint), TableCell(algorithm),
      TableCell(file ?? "", .faint),
    ]
  }
}

extension KeyRecord: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("name", importance: 9, leastWidth: 8, usualWidth: 12),
      TableColumn("key", importance: 6, leastWidth: 9, usualWidth: 20),
      TableColumn("from", importance: 7, leastWidth: 6),
      TableColumn("fingerprint", importance: 5, leastWidth: 50),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    [
      TableCell(name, .strong), TableCell(masked, .faint), TableCell(source.rawValue),
      TableCell(fingerprint ?? ""),
    ]
  }
}

extension TerminalEvent: TabledRecord {
  static var columns: [TableColumn] {
    [
      TableColumn("when", importance: 6, leastWidth: 10, usualWidth: 8),
      TableColumn("event", importance: 9, leastWidth: 10, usualWidth: 20),
      TableColumn("place", importance: 7, leastWidth: 4, usualWidth: 8),
      TableColumn("what", importance: 5, leastWidth: 8),
    ]
  }

  var shownIDs: [String] { [] }

  func cells(_ row: RowContext) -> [TableCell] {
    let instant = Timestamp(milliseconds: ts)
    let places = [sessionId, windowId, paneId].compactMap(\.self)
    let words = [name, layout, reason, text].compactMap(\.self)
    return [
      TableCell(row.isLive ? Ago.time(instant) : instant.iso8601, .faint),
      TableCell(event.rawValue), TableCell(places.joined(separator: " ")),
      TableCell(words.joined(separator: "  ")),
    ]
  }
}
