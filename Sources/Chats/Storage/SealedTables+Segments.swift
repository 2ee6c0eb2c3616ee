import Core
import Foundation
import GRDB
import Storage

/// The search index: sealed segments with the folded texts of up to a thousand turns each.
///
/// Each segment has a sealed filter of its words. The newest turns are in no segment yet and are
/// read one by one.
extension SealedTables {
  /// The largest number of turns in a segment.
  static let segmentSize = 1000
  /// The size of a segment's texts to which no further turn is added, in bytes.
  ///
  /// Results of tools are long, and the filter of a longer segment would match most words.
  private static let largestSegment = 2 << 20

  /// Moves the oldest turns that are not yet indexed into new segments, as long as these are full.
  func merge() throws {
    while try unmergedCount() >= Self.segmentSize { try mergeOldest() }
  }

  /// Returns the number of turns that are in no segment yet.
  func unmergedCount() throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM turn WHERE segment IS NULL")) ?? 0
  }

  /// Deletes the given turns from their segments.
  func removeFromSegments(_ turns: [(sequence: Int64, segment: Int64?)]) throws {
    let merged = turns.filter { $0.segment != nil }
    for (segment, places) in Dictionary(grouping: merged, by: \.segment) {
      guard let segment else { continue }
      let rest = try text(ofSegment: segment).without(Set(places.map(\.sequence)))
      if rest.entries.isEmpty {
        try database.run("DELETE FROM segment WHERE id = ?", [segment])
      } else {
        try store(rest, id: segment)
      }
    }
  }

  /// Returns the newest turns in the given scope that contain all terms, newest first.
  ///
  /// - Parameters:
  ///   - terms: The words and phrases.
  ///   - scope: The turns among which the search looks.
  ///   - limit: The largest number of turns.
  ///   - report: Receives a failure if rows are missing.
  /// - Returns: The turns.
  /// - Throws: `StorageFailed` if a row was tampered with.
  func search(
    _ terms: SearchTerms, in scope: SearchScope, limit: Int,
    onMissing report: (Failure) -> Void
  ) throws -> [Message] {
    let isWhole = try hasAllSegments()
    if !isWhole {
      report(Self.missing("a part of the search index", in: "segment"))
    }
    var found = try scoped(try unmerged(terms, isWhole: isWhole), scope)
    let segments = try Row.fetchAll(
      database, sql: "SELECT id, newest FROM segment ORDER BY newest DESC")
    for segment in segments {
      found.sort { ($0.createdAt, $0.sequence) > ($1.createdAt, $1.sequence) }
      found.removeLast(max(0, found.count - limit))
      if found.count == limit, let last = found.last, last.createdAt >= segment["newest"] { break }
      if let since = scope.since, segment["newest"] < since.milliseconds { break }
      let id: Int64 = segment["id"]
      guard try filter(ofSegment: id).mayHold(terms.beginnings) else { continue }
      found += try scoped(try text(ofSegment: id).matches(terms), scope)
    }
    found.sort { ($0.createdAt, $0.sequence) > ($1.createdAt, $1.sequence) }
    return try found.prefix(limit).compactMap { entry in
      if let turn = try turn(numbered: entry.sequence) { return turn }
      report(Self.missing("the row for message \(entry.sequence)", in: "turn"))
      return nil
    }
  }

  /// Returns the given entries that are in the given scope.
  ///
  /// An entry without a row stays, because it may be in the scope, and is reported.
  private func scoped(
    _ entries: [SegmentText.Entry], _ scope: SearchScope
  ) throws -> [SegmentText.Entry] {
    try entries.filter { entry in
      guard scope.holds(entry.createdAt) else { return false }
      guard scope.needsTurn, let turn = try turn(numbered: entry.sequence) else { return true }
      guard scope.holds(turn) else { return false }
      guard let project = scope.projectId else { return true }
      return try turn.chatId.flatMap { try chat($0)?.projectId } == project
    }
  }

  /// Returns `true` if there are enough segments for the turns that are marked as indexed.
  private func hasAllSegments() throws -> Bool {
    let count = "SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM segment)"
    guard let row = try Row.fetchOne(database, sql: count) else { return true }
    let (turns, segments): (Int, Int) = (row[0], row[1])
    return try turns - unmergedCount() <= segments * Self.segmentSize
  }

  static func missing(_ thing: String, in table: String) -> Failure {
    Failure(
      .storageFailed,
      "\(thing) is missing from the table '\(table)'", kind: .corrupt, input: table,
      nextStep: "restore 'store.db' from a copy")
  }

  private func unmerged(_ terms: SearchTerms, isWhole: Bool) throws -> [SegmentText.Entry] {
    var found: [SegmentText.Entry] = []
    let others = isWhole ? "" : " OR segment NOT IN (SELECT id FROM segment)"
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT sequence, id, chatId, createdAt, sealed FROM turn WHERE segment IS NULL\(others)"
    )
    while let row = try rows.next() {
      guard terms.match(try text(row)) else { continue }
      found.append(
        SegmentText.Entry(sequence: row["sequence"], createdAt: row["createdAt"], start: 0))
    }
    return found
  }

  private func mergeOldest() throws {
    let segment = try oldest()
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM segment") ?? 0
    try store(segment, id: last + 1)
    for entry in segment.entries {
      try database.run(
        "UPDATE turn SET segment = ? WHERE sequence = ?", [last + 1, entry.sequence])
    }
  }

  /// Returns a new segment with the oldest turns that are in none yet.
  private func oldest() throws -> SegmentText {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT sequence, id, chatId, createdAt, sealed FROM turn WHERE segment IS NULL
          ORDER BY createdAt LIMIT ?
          """), arguments: [Self.segmentSize])
    var segment = SegmentText()
    while segment.size < Self.largestSegment, let row = try rows.next() {
      segment.add(row["sequence"], createdAt: row["createdAt"], FoldedText.words(try text(row)))
    }
    return segment
  }

  private func store(_ segment: SegmentText, id: Int64) throws {
    let (filter, text) = (SealedRow("segment.filter", "\(id)"), SealedRow("segment", "\(id)"))
    try database.run(
      "INSERT OR REPLACE INTO segment (id, newest, filter, text) VALUES (?, ?, ?, ?)",
      [
        id, segment.newest, try key.seal(segment.filter.bytes, for: filter),
        try key.seal(segment.bytes, for: text),
      ])
  }

  private func text(ofSegment id: Int64) throws -> SegmentText {
    let row = SealedRow("segment", "\(id)")
    guard
      let sealed = try Data.fetchOne(
        database.cachedStatement(sql: "SELECT text FROM segment WHERE id = ?"), arguments: [id]),
      let text = SegmentText(bytes: try key.open(sealed, of: row))
    else { throw Self.damaged(row) }
    return text
  }

  private func filter(ofSegment id: Int64) throws -> SegmentFilter {
    let row = SealedRow("segment.filter", "\(id)")
    guard
      let sealed = try Data.fetchOne(
        database.cachedStatement(sql: "SELECT filter FROM segment WHERE id = ?"), arguments: [id]),
      let filter = SegmentFilter(bytes: try key.open(sealed, of: row))
    else { throw Self.damaged(row) }
    return filter
  }

  /// Returns the searchable text of the turn in the given row, without decoding more of it.
  private func text(_ row: Row) throws -> String {
    let place = SealedRow("turn", row["id"], of: row["chatId"])
    let record = try RawRecord(line: Array(try key.open(row["sealed"], of: place)))
    guard record.contains("toolCalls") || record.contains("toolResults") else {
      return record.string("text") ?? ""
    }
    return try Message(record).searchableText
  }

  private static func damaged(_ row: SealedRow) -> Failure {
    Failure(
      .storageFailed, "cannot decrypt row '\(row.id)' of table '\(row.table)': the row was changed",
      kind: .corrupt,
      input: row.id)
  }
}
