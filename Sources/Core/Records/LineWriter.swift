/// A writer that encodes a record as one line.
///
/// The caller must write the members sorted by name. The writer is ten times as fast as
/// ``LineEncoder``, and serves types that have very many records.
struct LineWriter {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  init() { bytes.reserveCapacity(512) }

  /// The finished line.
  var line: [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func write(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    begin(name)
    LineEncoder.append(value, to: &bytes)
  }

  mutating func write(_ name: StaticString, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    begin(name)
    bytes += value.description.utf8
  }

  mutating func write(_ name: StaticString, _ values: [String: String]?) {
    guard let values else { return }
    write(name, values) { LineEncoder.append($0, to: &$1) }
  }

  mutating func write(_ name: StaticString, _ values: [String: JSONValue]) throws {
    try write(name, values) { value, bytes in
      switch value {
      case .string(let text): LineEncoder.append(text, to: &bytes)
      case .int(let number): bytes += number.description.utf8
      case .bool(let isSo): bytes += (isSo ? "true" : "false").utf8
      case .null, .double, .array, .object: bytes += try LineEncoder.text(of: value)
      }
    }
  }

  private mutating func write<Value>(
    _ name: StaticString, _ values: [String: Value],
    _ append: (Value, inout [UInt8]) throws -> Void
  ) rethrows {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in sorted.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      LineEncoder.append(member.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      try append(member.value, &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
  }
}
