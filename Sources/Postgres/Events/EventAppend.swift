import Core
import Events
import Foundation
import Storage

/// The transaction that appends events to the log.
struct EventAppend {
  /// The state of the log at the start of the transaction.
  private struct Start {
    let epoch: String
    /// The sequence number of the last event.
    let last: Int64
    /// The first sequence number without a partition.
    let next: Int64
    /// The database's time in milliseconds since 1970.
    let now: Int64
  }

  private let connection: PostgresConnection

  /// The number of rows above which COPY is used, which takes a round trip of its own.
  private static let fewRows = 4
  /// The statements that begin the transaction.
  ///
  /// The planner must not read whole partitions to find a few ids: its estimates for new
  /// partitions are poor.
  private static let begin = """
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    SELECT pg_advisory_xact_lock(\(PostgresSchema.eventLock));
    SELECT epoch, last, next, \(PostgresClock.expression) FROM eventLog
    """
  /// The statements that commit a transaction that adds nothing, as one that changes something.
  private static let confirmation = "UPDATE eventLog SET last = last; COMMIT"
  /// The query for the events with given ids of their sources, which are a JSON array.
  private static let lookup = """
    SELECT event.srcId, event.sequence FROM json_array_elements_text(CAST(? AS json)) AS given (id)
    JOIN event ON hashtextextended(event.srcId, 0) = hashtextextended(given.id, 0)
      AND event.srcId = given.id
    """

  /// Creates the transaction over the given connection.
  init(_ connection: PostgresConnection) { self.connection = connection }

  /// Appends the given events, of which there is at least one.
  ///
  /// - Returns: One id for each event, in order.
  /// - Throws: `StorageFailed` if they cannot be stored.
  func run(_ events: [EncodedEvent]) throws(Failure) -> [String] {
    let result = try connection.begin(Self.begin)
    guard let epoch = result.text(row: 0, column: 0),
      let last = result.integer(row: 0, column: 1), let next = result.integer(row: 0, column: 2),
      let now = result.integer(row: 0, column: 3)
    else {
      connection.rollBack()
      throw PostgresLog.missing(in: connection.address)
    }
    let start = Start(epoch: epoch, last: last, next: next, now: now)
    let rows: [EventRow]
    let sequences: [Int64]
    do throws(Failure) {
      (rows, sequences) = try number(events, after: start)
      try store(rows, after: start)
    } catch {
      connection.rollBack()
      throw error
    }
    try commit(rows)
    return sequences.map { "\(epoch)-\($0)" }
  }

  /// Returns the rows of the events that are not in the log, and the sequence number of each event.
  private func number(
    _ events: [EncodedEvent], after start: Start
  ) throws(Failure) -> (rows: [EventRow], sequences: [Int64]) {
    var known = try stored(events)
    var rows: [EventRow] = []
    var sequences: [Int64] = []
    rows.reserveCapacity(events.count)
    sequences.reserveCapacity(events.count)
    for event in events {
      let row = EventRow(
        event, sequence: start.last + Int64(rows.count) + 1, loggedAt: start.now)
      if let source = row.srcId {
        if let sequence = known[Array(source.utf8)] {
          sequences.append(sequence)
          continue
        }
        known[Array(source.utf8)] = row.sequence
      }
      rows.append(row)
      sequences.append(row.sequence)
    }
    return (rows, sequences)
  }

  /// Returns the sequence numbers of the given events that are in the log, by the bytes of `srcId`.
  ///
  /// Texts of different bytes can be equal in Swift, but are different ids.
  private func stored(_ events: [EncodedEvent]) throws(Failure) -> [[UInt8]: Int64] {
    let sources = Set(events.compactMap { $0.srcId.map { Array(RecordValue.storable($0).utf8) } })
    guard !sources.isEmpty else { return [:] }
    let json = String(decoding: Self.json(sources), as: UTF8.self)
    let result = try connection.run(Self.lookup, [.text(json)])
    var known: [[UInt8]: Int64] = [:]
    for row in 0..<result.count {
      guard case .text(let source) = result.value(row: row, column: 0) else { continue }
      known[Array(source.utf8)] = result.integer(row: row, column: 1)
    }
    return known
  }

  private func store(_ rows: [EventRow], after start: Start) throws(Failure) {
    guard let end = rows.last?.sequence else { return }
    if end >= start.next { try connection.run("SELECT addEventPart(\(end))") }
    guard rows.count > Self.fewRows else {
      for row in rows { _ = try connection.run(EventRow.insertion, row.parameters) }
      return
    }
    var copy = EventCopy(capacity: rows.reduce(0) { $0 + $1.record.count + 200 })
    for row in rows { copy.append(row) }
    try connection.copy(EventCopy.statement, copy.data)
  }

  private func commit(_ rows: [EventRow]) throws(Failure) {
    guard let last = rows.last else {
      // A standby that must confirm commits has the known events when it confirms this commit.
      return try connection.commit(Self.confirmation)
    }
    try connection.commit(
      """
      UPDATE eventLog SET last = \(last.sequence); NOTIFY \(PostgresChannel.events.rawValue); COMMIT
      """
    ) { () throws(Failure) in try isStored(last) }
  }

  /// Returns `true` if the given row is in the log.
  ///
  /// The lock is granted once the transaction that lost its connection has ended.
  private func isStored(_ row: EventRow) throws(Failure) -> Bool {
    _ = try connection.begin(Self.begin)
    let result = try connection.run(
      "SELECT 1 FROM event WHERE sequence = ? AND loggedAt = ? AND record = ?",
      [.integer(row.sequence), .integer(row.loggedAt)] + row.parameters.suffix(1))
    guard result.count > 0 else {
      connection.rollBack()
      return false
    }
    try connection.commit(Self.confirmation)
    return true
  }

  /// Returns a JSON array of the given texts.
  private static func json(_ texts: Set<[UInt8]>) -> [UInt8] {
    var json: [UInt8] = [UInt8(ascii: "[")]
    for text in texts {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "\""))
      for byte in text {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: json += String(format: "\\u%04x", Int(byte)).utf8
        default: json.append(byte)
        }
      }
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    return json
  }
}
