internal import Core
import Foundation

/// A value of a field, in protobuf and in its JSON (protobuf, "ProtoJSON Format").
///
/// OTLP's JSON differs from protobuf's: the ids of traces and spans are hexadecimal, and enums are
/// numbers (opentelemetry-proto, docs/specification.md). Names of enums are read, too.
protocol WireValue: Sendable {
  static var format: WireFormat { get }
  /// Creates the default value.
  init()
  /// `true` if protobuf does not write the value.
  var isDefault: Bool { get }
  mutating func read(_ reader: inout WireReader) throws(WireFault)
  /// Appends the value without its tag.
  func write(to bytes: inout [UInt8])
  /// Reads the value.
  ///
  /// - Parameters:
  ///   - json: The value, which is not null.
  ///   - depth: The number of messages around the value.
  /// - Throws: `WireFault.value` if the value does not fit.
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault)
  func writeJSON(to bytes: inout [UInt8])
}

extension WireValue {
  /// Appends the value with the tag of the given field.
  func write(to bytes: inout [UInt8], field: Int) {
    bytes.appendVarint(UInt64(field) << 3 | UInt64(Self.format.rawValue))
    write(to: &bytes)
  }

  /// Appends the value as the member of the given name.
  func writeJSON(to bytes: inout [UInt8], name: String) {
    bytes.appendName(name)
    writeJSON(to: &bytes)
  }
}

extension String: WireValue {
  static var format: WireFormat { .length }
  var isDefault: Bool { isEmpty }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    guard let text = String(validating: try reader.contents(), as: UTF8.self) else {
      throw .encoding
    }
    self = text
  }
  func write(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(utf8.count))
    bytes += utf8
  }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard case .string(let text) = json else { throw .value }
    self = text
  }
  func writeJSON(to bytes: inout [UInt8]) { bytes += JSONString.literal(self) }
}

extension Data: WireValue {
  static var format: WireFormat { .length }
  var isDefault: Bool { isEmpty }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = Data(try reader.contents())
  }
  func write(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(count))
    bytes += self
  }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard case .string(let text) = json,
      let bytes = Base64URL.bytes(
        text.replacing("+", with: "-").replacing("/", with: "_"))
    else { throw .value }
    self = Data(bytes)
  }
  func writeJSON(to bytes: inout [UInt8]) { base64EncodedString().writeJSON(to: &bytes) }
}

extension Bool: WireValue {
  static var format: WireFormat { .varint }
  var isDefault: Bool { !self }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = try reader.varint() != 0
  }
  func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard case .bool(let isSo) = json else { throw .value }
    self = isSo
  }
  func writeJSON(to bytes: inout [UInt8]) { bytes += (self ? "true" : "false").utf8 }
}

extension Double: WireValue {
  private static let words: [String: Double] = [
    "NaN": .nan, "Inf": .infinity, "-Inf": -.infinity, "Infinity": .infinity,
    "-Infinity": -.infinity,
  ]

  static var format: WireFormat { .fixed64 }
  var isDefault: Bool { bitPattern == 0 }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = Double(bitPattern: try reader.fixed64())
  }
  func write(to bytes: inout [UInt8]) { bytes.appendFixed64(bitPattern) }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard let number = json.string.flatMap({ Self.words[$0] }) ?? json.wireNumber?.number else {
      throw .value
    }
    self = number
  }
  func writeJSON(to bytes: inout [UInt8]) {
    let text = isNaN ? "\"NaN\"" : self < 0 ? "\"-Infinity\"" : "\"Infinity\""
    bytes += (isFinite ? description : text).utf8
  }
}

/// An integer, which JSON has as a number, or as a string if it may have more than 32 bits.
protocol WireInteger: WireValue, FixedWidthInteger {}

extension WireInteger {
  static var format: WireFormat { .varint }
  var isDefault: Bool { self == 0 }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = Self(truncatingIfNeeded: try reader.varint())
  }
  func write(to bytes: inout [UInt8]) { bytes.appendVarint(UInt64(truncatingIfNeeded: self)) }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    let number: Self? =
      switch json.wireNumber {
      case .int(let number): Self(exactly: number)
      case .double(let number): json.string.flatMap { Self($0) } ?? Self(exactly: number)
      default: nil
      }
    guard let number else { throw .value }
    self = number
  }
  func writeJSON(to bytes: inout [UInt8]) {
    bytes += (Self.bitWidth > 32 ? "\"\(self)\"" : description).utf8
  }
}

extension Int32: WireInteger {}
extension UInt32: WireInteger {}
extension Int64: WireInteger {}

/// In this protocol, all unsigned numbers of 64 bits have a fixed size.
extension UInt64: WireInteger {
  static var format: WireFormat { .fixed64 }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = try reader.fixed64()
  }
  func write(to bytes: inout [UInt8]) { bytes.appendFixed64(self) }
}

/// A signed number of 64 bits with a fixed size.
struct WireFixedInteger: WireValue {
  var number: Int64 = 0

  static var format: WireFormat { .fixed64 }
  var isDefault: Bool { number == 0 }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    number = Int64(bitPattern: try reader.fixed64())
  }
  func write(to bytes: inout [UInt8]) { bytes.appendFixed64(UInt64(bitPattern: number)) }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    try number.read(json, depth: depth)
  }
  func writeJSON(to bytes: inout [UInt8]) { number.writeJSON(to: &bytes) }
}

/// A value of an enum, which may be one that this version does not know.
protocol WireEnum: WireValue, RawRepresentable, Hashable where RawValue == Int32 {
  init(rawValue: Int32)
  /// The beginning of the values' names.
  static var prefix: String { get }
  /// The rest of the names of the values from 0 on.
  static var names: [String] { get }
}

extension WireEnum {
  init() { self.init(rawValue: 0) }
  static var format: WireFormat { .varint }
  var isDefault: Bool { rawValue == 0 }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    self = Self(rawValue: Int32(truncatingIfNeeded: try reader.varint()))
  }
  func write(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(truncatingIfNeeded: rawValue))
  }
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    var number: Int32 = 0
    if case .string(let name) = json {
      let index = Self.names.firstIndex { Self.prefix + $0 == name }
      number = Int32(index ?? 0)
    } else {
      try number.read(json, depth: depth)
    }
    self = Self(rawValue: number)
  }
  func writeJSON(to bytes: inout [UInt8]) { bytes += String(rawValue).utf8 }
}

extension JSONValue {
  /// The number that the value is, or that its text is in JSON's grammar; nil if it is neither.
  fileprivate var wireNumber: JSONValue? {
    switch self {
    case .int, .double: return self
    case .string(let text):
      guard text.utf8.first?.isWireNumber ?? false, text.utf8.last?.isDigit ?? false else {
        return nil
      }
      return JSONText.value(Array(text.utf8))
    case .null, .bool, .array, .object: return nil
    }
  }
}

extension UInt8 {
  /// `true` for the first byte of a number.
  fileprivate var isWireNumber: Bool { isDigit || self == UInt8(ascii: "-") }
}
