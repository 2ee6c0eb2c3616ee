internal import Core
import Foundation

extension WireAnyValue {
  /// The depth below which nested values become JSON text.
  ///
  /// Each level takes three nested protobuf messages, and SwiftProtobuf decodes at most 100.
  private static let maximumDepth = 24

  /// Creates a value from the given JSON value.
  ///
  /// Arrays and objects that are nested too deeply become JSON text.
  init(_ value: JSONValue, depth: Int = 0) {
    self.init()
    switch value {
    case .array, .object:
      guard depth < Self.maximumDepth else {
        stringValue = value.words ?? ""
        return
      }
    case .null, .bool, .int, .double, .string: break
    }
    switch value {
    case .null: break
    case .bool(let isSo): boolValue = isSo
    case .int(let number): intValue = Int64(number)
    case .double(let number): doubleValue = number
    case .string(let text): stringValue = text
    case .array(let values): arrayValue.values = values.map { WireAnyValue($0, depth: depth + 1) }
    case .object(let members): kvlistValue.values = [WireKeyValue](members, depth: depth + 1)
    }
  }

  /// The value as JSON.
  ///
  /// As in protobuf's JSON, bytes are in base64, and NaN and infinities are strings.
  var json: JSONValue {
    switch value {
    case .stringValue(let text): .string(text)
    case .boolValue(let isSo): .bool(isSo)
    case .intValue(let number): .int(Int(number))
    case .doubleValue(let number) where number.isFinite: .double(number)
    case .doubleValue(let number):
      .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    case .arrayValue(let array): .array(array.values.map(\.json))
    case .kvlistValue(let list): .object(list.values.members)
    case .bytesValue(let bytes): .string(bytes.base64EncodedString())
    case nil: .null
    }
  }
}

extension JSONValue {
  /// The value as text; nil for null.
  ///
  /// A string is its contents. Any other value is JSON.
  var words: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .bool, .int, .double, .array, .object: json
    }
  }

  /// The value as JSON text.
  ///
  /// Members are sorted by name.
  private var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // All numbers that arrived are finite, and nothing else can fail to encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The contents of a string; nil for other values.
  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a number; nil for other values.
  var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}

extension [WireKeyValue] {
  /// Creates attributes from the members of a JSON object, sorted by name.
  init(_ members: [String: JSONValue], depth: Int = 0) {
    self = members.sorted { $0.key < $1.key }.map { WireKeyValue($0.key, $0.value, depth: depth) }
  }

  /// The values of the attributes by name.
  ///
  /// If a name occurs twice, the last value counts.
  var members: [String: JSONValue] {
    Dictionary(map { ($0.key, $0.value.json) }) { $1 }
  }
}

extension WireKeyValue {
  /// Creates the attribute with the given name and value.
  init(_ key: String, _ value: JSONValue, depth: Int = 0) {
    self.init()
    self.key = key
    self.value = WireAnyValue(value, depth: depth)
  }
}
