import Storage

/// The types of values, by their numbers in the table `pg_type`.
private enum PostgresType {
  static let unknown: UInt32 = 0
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let oid: UInt32 = 26
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
  static let numeric: UInt32 = 1700
}

extension RecordValue {
  /// The number of the type that a parameter with this value has.
  ///
  /// It is 0 for no value, whose type the server derives from the statement.
  var postgresType: UInt32 {
    switch self {
    case .null: PostgresType.unknown
    case .integer: PostgresType.int8
    case .real: PostgresType.float8
    case .text: PostgresType.text
    case .blob: PostgresType.bytea
    }
  }

  /// The value in the binary format of its type; nil for no value.
  var postgresBytes: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let integer): Self.bytes(UInt64(bitPattern: integer))
    case .real(let real): Self.bytes(real.bitPattern)
    case .text(let text): Array(Self.storable(text).utf8)
    case .blob(let bytes): bytes
    }
  }

  /// Returns the given text as PostgreSQL stores it: without U+0000, which U+FFFD replaces.
  ///
  /// Only ids can contain it, because a record in JSON contains it as an escape sequence.
  static func storable(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\u{0}", with: "\u{FFFD}") : text
  }

  /// Creates the value from its text format.
  ///
  /// A value of a type that SQLite lacks becomes a text.
  init(postgres bytes: UnsafeRawBufferPointer, type: UInt32) {
    if type == PostgresType.bytea {
      self = .blob(Self.bytes(ofHexadecimal: bytes))
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    case PostgresType.bool: self = .integer(text == "t" ? 1 : 0)
    case PostgresType.int2, PostgresType.int4, PostgresType.int8, PostgresType.oid:
      self = Int64(text).map(RecordValue.integer) ?? .text(text)
    case PostgresType.float4, PostgresType.float8:
      self = Double(text).map(RecordValue.real) ?? .text(text)
    // The sum of integers has this type.
    case PostgresType.numeric:
      self =
        Int64(text).map(RecordValue.integer) ?? Double(text).map(RecordValue.real)
        ?? .text(text)
    default: self = .text(text)
    }
  }

  private static func bytes(_ bits: UInt64) -> [UInt8] {
    withUnsafeBytes(of: bits.bigEndian) { Array($0) }
  }

  /// Returns the bytes of a text such as `\x00ff`, the format that `bytea_output` sets.
  private static func bytes(ofHexadecimal text: UnsafeRawBufferPointer) -> [UInt8] {
    func digit(_ character: UInt8) -> UInt8 {
      character < UInt8(ascii: "a")
        ? character &- UInt8(ascii: "0")
        : character &- UInt8(ascii: "a") &+ 10
    }
    return stride(from: 2, to: text.count - 1, by: 2).map { index in
      digit(text[index]) << 4 | digit(text[index + 1])
    }
  }
}
