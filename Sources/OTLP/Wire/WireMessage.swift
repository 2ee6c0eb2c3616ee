internal import Core

/// A message of the protocol, described by its fields.
///
/// The fields are those that are read or written here (opentelemetry-proto 1.x and
/// `google.rpc.Status`). All others are skipped.
protocol WireMessage: WireValue {
  /// The fields, in the order of their numbers.
  static var fields: [WireField<Self>] { get }
}

/// A field of a message: its number in protobuf, its name in JSON, and its conversions.
struct WireField<Message>: Sendable {
  let number: Int
  let name: String
  /// The name in .proto files, which protobuf's JSON also allows.
  let originalName: String
  let format: WireFormat
  /// `true` if at most one of the fields so marked may have a value.
  let isAlternative: Bool
  let read: @Sendable (inout Message, inout WireReader) throws(WireFault) -> Void
  let write: @Sendable (Message, inout [UInt8]) -> Void
  let readJSON: @Sendable (inout Message, JSONValue, _ depth: Int) throws(WireFault) -> Void
  let writeJSON: @Sendable (Message, inout [UInt8]) -> Void

  /// A field with a value that is not written if it is the default.
  static func value<Value: WireValue>(
    _ number: Int, _ name: String, _ path: any WritableKeyPath<Message, Value> & Sendable
  ) -> WireField {
    WireField(
      number: number, name: name, originalName: name.snakeCase, format: Value.format,
      isAlternative: false
    ) { (message: inout Message, reader: inout WireReader) throws(WireFault) in
      try message[keyPath: path].read(&reader)
    } write: { message, bytes in
      let value = message[keyPath: path]
      if !value.isDefault { value.write(to: &bytes, field: number) }
    } readJSON: { (message: inout Message, json: JSONValue, depth: Int) throws(WireFault) in
      var value = Value()
      if json != .null { try value.read(json, depth: depth) }
      message[keyPath: path] = value
    } writeJSON: { message, bytes in
      let value = message[keyPath: path]
      if !value.isDefault { value.writeJSON(to: &bytes, name: name) }
    }
  }

  /// A field that has a value or none.
  ///
  /// - Parameters:
  ///   - number: The number of the field.
  ///   - name: The name of the field.
  ///   - path: The path of the value. A message that occurs twice is merged (protobuf, "Last One
  ///     Wins").
  ///   - isAlternative: `true` if the field is one of a `oneof`.
  /// - Returns: The field.
  static func optional<Value: WireValue>(
    _ number: Int, _ name: String, _ path: any WritableKeyPath<Message, Value?> & Sendable,
    isAlternative: Bool = false
  ) -> WireField {
    WireField(
      number: number, name: name, originalName: name.snakeCase, format: Value.format,
      isAlternative: isAlternative
    ) { (message: inout Message, reader: inout WireReader) throws(WireFault) in
      var value = message[keyPath: path] ?? Value()
      try value.read(&reader)
      message[keyPath: path] = value
    } write: { message, bytes in
      message[keyPath: path]?.write(to: &bytes, field: number)
    } readJSON: { (message: inout Message, json: JSONValue, depth: Int) throws(WireFault) in
      guard json != .null else { return }
      var value = Value()
      try value.read(json, depth: depth)
      message[keyPath: path] = value
    } writeJSON: { message, bytes in
      message[keyPath: path]?.writeJSON(to: &bytes, name: name)
    }
  }

  /// A field that repeats.
  static func list<Value: WireMessage>(
    _ number: Int, _ name: String, _ path: any WritableKeyPath<Message, [Value]> & Sendable
  ) -> WireField {
    WireField(
      number: number, name: name, originalName: name.snakeCase, format: .length,
      isAlternative: false
    ) { (message: inout Message, reader: inout WireReader) throws(WireFault) in
      var value = Value()
      try value.read(&reader)
      message[keyPath: path].append(value)
    } write: { message, bytes in
      for value in message[keyPath: path] { value.write(to: &bytes, field: number) }
    } readJSON: { (message: inout Message, json: JSONValue, depth: Int) throws(WireFault) in
      guard json != .null else { return }
      guard case .array(let elements) = json else { throw .value }
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        var value = Value()
        try value.read(element, depth: depth)
        values.append(value)
      }
      message[keyPath: path] = values
    } writeJSON: { message, bytes in
      let values = message[keyPath: path]
      guard !values.isEmpty else { return }
      bytes.appendName(name)
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.writeJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }
}

extension WireMessage {
  static var format: WireFormat { .length }
  var isDefault: Bool { false }

  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    try reader.message(&self)
  }

  /// Appends the fields in protobuf's encoding.
  func writeFields(to bytes: inout [UInt8]) {
    for field in Self.fields { field.write(self, &bytes) }
  }

  func write(to bytes: inout [UInt8]) {
    var fields: [UInt8] = []
    writeFields(to: &fields)
    bytes.appendVarint(UInt64(fields.count))
    bytes += fields
  }

  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard depth < WireReader.maximumDepth else { throw .depth }
    guard case .object(let members) = json else { throw .value }
    var alternatives = 0
    for field in Self.fields {
      guard let member = members[field.name] ?? members[field.originalName] else { continue }
      if field.isAlternative, member != .null { alternatives += 1 }
      guard alternatives < 2 else { throw .json("more than one value at '\(field.name)'") }
      do throws(WireFault) {
        try field.readJSON(&self, member, depth + 1)
      } catch .value {
        throw .json("the value of '\(field.name)' has the wrong type or is out of range")
      }
    }
  }

  func writeJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for field in Self.fields { field.writeJSON(self, &bytes) }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension String {
  /// The name in the form of .proto files, such as `trace_id` for `traceId`.
  fileprivate var snakeCase: String {
    guard utf8.contains(where: \.isCapital) else { return self }
    var name: [UInt8] = []
    for byte in utf8 { name += byte.isCapital ? [UInt8(ascii: "_"), byte.lowercased] : [byte] }
    return String(decoding: name, as: UTF8.self)
  }
}
