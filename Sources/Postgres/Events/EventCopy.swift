import Core

/// The rows of events in the binary format of COPY.
///
/// See https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.55.9.4.
struct EventCopy {
  /// The statement that reads the rows.
  static let statement = """
    COPY event (sequence, loggedAt, agentId, srcId, record) FROM STDIN (FORMAT binary)
    """
  private static let columnCount: Int16 = 5
  /// The signature, and the lengths of flags and of an extension of the header.
  private static let start =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

  private var bytes = Self.start

  /// Creates the rows.
  ///
  /// `capacity` is the expected number of bytes.
  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// The bytes to send.
  var data: [UInt8] {
    var data = bytes
    Self.append(Int16(-1), to: &data)
    return data
  }

  /// Appends a row.
  mutating func append(_ row: EventRow) {
    Self.append(Self.columnCount, to: &bytes)
    for number in [row.sequence, row.loggedAt] {
      Self.append(Int32(8), to: &bytes)
      Self.append(number, to: &bytes)
    }
    append(row.agentId?.utf8)
    append(row.srcId?.utf8)
    append(row.record)
  }

  private mutating func append(_ text: (some Collection<UInt8>)?) {
    guard let text else {
      Self.append(Int32(-1), to: &bytes)
      return
    }
    Self.append(Int32(text.count), to: &bytes)
    bytes.append(contentsOf: text)
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
