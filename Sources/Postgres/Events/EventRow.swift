import Core
import Events
import Storage

/// A new row of the table `event`.
struct EventRow {
  let sequence: Int64
  /// The database's time, in milliseconds since 1970.
  let loggedAt: Int64
  let agentId: String?
  let srcId: String?
  /// The line of the event.
  let record: [UInt8]

  /// The statement that inserts one row.
  static let insertion = """
    INSERT INTO event (sequence, loggedAt, agentId, srcId, record) VALUES (?, ?, ?, ?, ?)
    """

  /// Creates the row of the given event.
  init(_ event: EncodedEvent, sequence: Int64, loggedAt: Int64) {
    (self.sequence, self.loggedAt, record) = (sequence, loggedAt, event.line)
    agentId = event.agentId.map(RecordValue.storable)
    srcId = event.srcId.map(RecordValue.storable)
  }

  /// The parameters of ``insertion``.
  var parameters: [RecordValue] {
    [
      .integer(sequence), .integer(loggedAt), agentId.map(RecordValue.text) ?? .null,
      srcId.map(RecordValue.text) ?? .null, .text(String(decoding: record, as: UTF8.self)),
    ]
  }
}
