/// An encoder that writes JSON on one line.
///
/// Keys are sorted by their bytes, and `/` is not escaped. The output equals that of Foundation's
/// `JSONEncoder`, which takes five times as long. This matters because encoding limits the rate at
/// which events can be logged.
final class LineEncoder: Encoder {
  /// A part of the text: bytes already written, or a nested encoder that is not finished.
  private enum Part {
    case bytes(Range<Int>)
    case nested(LineEncoder)
  }

  private enum Shape { case single, object, array }

  private var shape = Shape.single
  private var bytes: [UInt8] = []
  private var members: [(key: String, part: Part)] = []

  private let parent: LineEncoder?
  private let place: (any CodingKey)?

  var codingPath: [any CodingKey] {
    (parent?.codingPath ?? []) + (place.map { [$0] } ?? [])
  }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(in parent: LineEncoder? = nil, at place: (any CodingKey)? = nil) {
    self.parent = parent
    self.place = place
  }

  /// Returns the JSON text of the given value.
  ///
  /// - Throws: `EncodingError` if a number is not finite; otherwise any error that the value
  ///   throws.
  static func text(of value: some Encodable) throws -> [UInt8] {
    let encoder = LineEncoder()
    encoder.bytes.reserveCapacity(512)
    try value.encode(to: encoder)
    return encoder.text
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape = .object
    return KeyedEncodingContainer(KeyedLineContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape = .array
    return UnkeyedLineContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleLineContainer(encoder: self)
  }

  /// The encoder's JSON text, valid once the value is encoded.
  private var text: [UInt8] {
    guard shape != .single else { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + members.reduce(2) { $0 + $1.key.utf8.count + 4 })
    if shape == .object {
      members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    text.append(shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    for index in members.indices {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if shape == .object {
        Self.append(members[index].key, to: &text)
        text.append(UInt8(ascii: ":"))
      }
      switch members[index].part {
      case .bytes(let range): text += bytes[range]
      case .nested(let encoder): text += encoder.text
      }
    }
    text.append(shape == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    return text
  }

  // MARK: Writing for containers

  fileprivate var count: Int { members.count }

  /// Writes the value of the member or element with the given key.
  fileprivate func write(_ key: String, _ write: (inout [UInt8]) throws -> Void) rethrows {
    let start = bytes.count
    try write(&bytes)
    set(key, .bytes(start..<bytes.count))
  }

  fileprivate func write(_ value: some Encodable, _ key: String, at place: any CodingKey) throws {
    if let text = value as? String { return write(key) { Self.append(text, to: &$0) } }
    let encoder = LineEncoder(in: self, at: place)
    try value.encode(to: encoder)
    write(key) { $0 += encoder.text }
  }

  fileprivate func nested(_ key: String, at place: any CodingKey) -> LineEncoder {
    let encoder = LineEncoder(in: self, at: place)
    set(key, .nested(encoder))
    return encoder
  }

  func writeSingle(_ write: (inout [UInt8]) throws -> Void) rethrows {
    try write(&bytes)
  }

  fileprivate func writeSingle(_ value: some Encodable) throws { try value.encode(to: self) }

  private func set(_ key: String, _ part: Part) { members.append((key, part)) }

  // MARK: Texts

  fileprivate func append(_ number: Double, to bytes: inout [UInt8]) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: codingPath, debugDescription: "the number is not finite"))
    }
    let text = number.description
    bytes += text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...]
  }

  /// Appends the given text as a string literal (RFC 8259, section 7) with as few escapes as
  /// possible.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { buffer in
      var start = 0
      for (index, byte) in buffer.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += buffer[start..<index]
        start = index + 1
        appendEscape(byte, to: &bytes)
      }
      bytes += buffer[start...]
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes += [
        UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), digits[Int(byte >> 4)],
        digits[Int(byte & 0xF)],
      ]
    }
  }
}

/// A coding key that is the index of an array element.
private struct ElementKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "\(intValue ?? 0)" }

  init(_ index: Int) { intValue = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.intValue = intValue }
}

private struct KeyedLineContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: LineEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.write(key.stringValue) { $0 += "null".utf8 } }

  func encode(_ value: Bool, forKey key: Key) {
    encoder.write(key.stringValue) { $0 += (value ? "true" : "false").utf8 }
  }

  func encode(_ value: String, forKey key: Key) {
    encoder.write(key.stringValue) { LineEncoder.append(value, to: &$0) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try encoder.write(key.stringValue) { try encoder.append(value, to: &$0) }
  }

  func encode(_ value: Int, forKey key: Key) { write(value, key) }

  func encode(_ value: Int64, forKey key: Key) { write(value, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.write(value, key.stringValue, at: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.nested(key.stringValue, at: key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.nested(key.stringValue, at: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.nested("super", at: ElementKey(0)) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key.stringValue, at: key) }

  private func write(_ value: some BinaryInteger, _ key: Key) {
    encoder.write(key.stringValue) { $0 += value.description.utf8 }
  }
}

private struct UnkeyedLineContainer: UnkeyedEncodingContainer {
  let encoder: LineEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() { encoder.write("") { $0 += "null".utf8 } }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.write(value, "", at: ElementKey(count))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.nested("", at: ElementKey(count)).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.nested("", at: ElementKey(count)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.nested("", at: ElementKey(count)) }
}

private struct SingleLineContainer: SingleValueEncodingContainer {
  let encoder: LineEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.writeSingle { $0 += "null".utf8 } }

  func encode(_ value: Bool) { encoder.writeSingle { $0 += (value ? "true" : "false").utf8 } }

  func encode(_ value: String) { encoder.writeSingle { LineEncoder.append(value, to: &$0) } }

  func encode(_ value: Double) throws {
    try encoder.writeSingle { try encoder.append(value, to: &$0) }
  }

  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) { write(value) }
  func encode(_ value: Int8) { write(value) }
  func encode(_ value: Int16) { write(value) }
  func encode(_ value: Int32) { write(value) }
  func encode(_ value: Int64) { write(value) }
  func encode(_ value: UInt) { write(value) }
  func encode(_ value: UInt8) { write(value) }
  func encode(_ value: UInt16) { write(value) }
  func encode(_ value: UInt32) { write(value) }
  func encode(_ value: UInt64) { write(value) }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.writeSingle(value) }

  private func write(_ value: some BinaryInteger) {
    encoder.writeSingle { $0 += value.description.utf8 }
  }
}
