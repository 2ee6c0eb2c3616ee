internal import Core
import Foundation

extension WireAnyValue {
  /// Values within values down to here are such in the protocol too: a level of them is three of
  /// messages, of which SwiftProtobuf reads 100.
  private static let maximumDepth = 24

  /// A JSON value; what lies too deep in it becomes its JSON text.
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

  /// The value as JSON has it: bytes in base64, and numbers that JSON has not by their names, both as
  /// protobuf's JSON does it.
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
  /// The value as a text: that of a string is the string, null has none.
  var words: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .bool, .int, .double, .array, .object: json
    }
  }

  /// The value as a JSON text, its members sorted.
  private var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every number that came over the wire is finite by now, and nothing else is refused.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The text of a string.
  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A number.
  var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}

extension [WireKeyValue] {
  /// The members of a JSON object, sorted.
  init(_ members: [String: JSONValue], depth: Int = 0) {
    self = members.sorted { $0.key < $1.key }.map { WireKeyValue($0.key, $0.value, depth: depth) }
  }

  /// The values by their names; of two with one name the later counts.
  var members: [String: JSONValue] {
    Dictionary(map { ($0.key, $0.value.json) }) { $1 }
  }
}

extension WireKeyValue {
  /// An attribute.
  init(_ key: String, _ value: JSONValue, depth: Int = 0) {
    self.init()
    self.key = key
    self.value = WireAnyValue(value, depth: depth)
  }
}
