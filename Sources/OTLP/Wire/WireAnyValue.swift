internal import Core
import Foundation

// opentelemetry.proto.common.v1 and resource.v1.

/// A value of an attribute or of a log record's body.
struct WireAnyValue: WireMessage, Equatable {
  /// The depth below which nested values become JSON text.
  ///
  /// Each level takes three nested messages, and decoders accept at most 100.
  private static let maximumDepth = 24

  enum Value: Sendable, Equatable {
    case string(String)
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case array(WireArrayValue)
    case members(WireKeyValueList)
    case bytes(Data)
  }

  var value: Value?

  static let fields: [WireField<Self>] = [
    .optional(1, "stringValue", \.string, isAlternative: true),
    .optional(2, "boolValue", \.bool, isAlternative: true),
    .optional(3, "intValue", \.int, isAlternative: true),
    .optional(4, "doubleValue", \.double, isAlternative: true),
    .optional(5, "arrayValue", \.array, isAlternative: true),
    .optional(6, "kvlistValue", \.members, isAlternative: true),
    .optional(7, "bytesValue", \.bytes, isAlternative: true),
  ]

  private var string: String? {
    get { if case .string(let text)? = value { text } else { nil } }
    set { value = newValue.map(Value.string) }
  }
  private var bool: Bool? {
    get { if case .bool(let isSo)? = value { isSo } else { nil } }
    set { value = newValue.map(Value.bool) }
  }
  private var int: Int64? {
    get { if case .int(let number)? = value { number } else { nil } }
    set { value = newValue.map(Value.int) }
  }
  private var double: Double? {
    get { if case .double(let number)? = value { number } else { nil } }
    set { value = newValue.map(Value.double) }
  }
  private var array: WireArrayValue? {
    get { if case .array(let array)? = value { array } else { nil } }
    set { value = newValue.map(Value.array) }
  }
  private var members: WireKeyValueList? {
    get { if case .members(let list)? = value { list } else { nil } }
    set { value = newValue.map(Value.members) }
  }
  private var bytes: Data? {
    get { if case .bytes(let bytes)? = value { bytes } else { nil } }
    set { value = newValue.map(Value.bytes) }
  }
}

struct WireArrayValue: WireMessage, Equatable {
  var values: [WireAnyValue] = []

  static let fields: [WireField<Self>] = [.list(1, "values", \.values)]
}

struct WireKeyValueList: WireMessage, Equatable {
  var values: [WireKeyValue] = []

  static let fields: [WireField<Self>] = [.list(1, "values", \.values)]
}

struct WireKeyValue: WireMessage, Equatable {
  var key = ""
  var value: WireAnyValue?

  static let fields: [WireField<Self>] = [.value(1, "key", \.key), .optional(2, "value", \.value)]
}

struct WireScope: WireMessage {
  var name = ""
  var version = ""

  static let fields: [WireField<Self>] = [
    .value(1, "name", \.name), .value(2, "version", \.version),
  ]
}

struct WireResource: WireMessage {
  var attributes: [WireKeyValue] = []

  static let fields: [WireField<Self>] = [.list(1, "attributes", \.attributes)]
}

extension WireAnyValue {
  /// Creates a value from the given JSON value.
  ///
  /// Arrays and objects that are nested too deeply become JSON text.
  init(_ json: JSONValue, depth: Int = 0) {
    value =
      switch json {
      case _ where json.isNested && depth >= Self.maximumDepth: .string(json.words ?? "")
      case .null: nil
      case .bool(let isSo): .bool(isSo)
      case .int(let number): .int(Int64(number))
      case .double(let number): .double(number)
      case .string(let text): .string(text)
      case .array(let values):
        .array(WireArrayValue(values: values.map { WireAnyValue($0, depth: depth + 1) }))
      case .object(let members):
        .members(WireKeyValueList(values: [WireKeyValue](members, depth: depth + 1)))
      }
  }

  /// The value as JSON.
  ///
  /// As in protobuf's JSON, bytes are in base64, and NaN and infinities are strings.
  var json: JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .bool(let isSo): .bool(isSo)
    case .int(let number): .int(Int(number))
    case .double(let number) where number.isFinite: .double(number)
    case .double(let number):
      .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    case .array(let array): .array(array.values.map(\.json))
    case .members(let list): .object(list.values.members)
    case .bytes(let bytes): .string(bytes.base64EncodedString())
    case nil: .null
    }
  }
}

extension [WireKeyValue] {
  /// Creates attributes from the members of a JSON object, sorted by name.
  init(_ members: [String: JSONValue], depth: Int = 0) {
    self = members.sorted { $0.key < $1.key }
      .map { WireKeyValue(key: $0.key, value: WireAnyValue($0.value, depth: depth)) }
  }

  /// The values of the attributes by name.
  ///
  /// If a name occurs twice, the last value counts.
  var members: [String: JSONValue] {
    Dictionary(map { ($0.key, $0.value?.json ?? .null) }) { $1 }
  }
}

extension JSONValue {
  fileprivate var isNested: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .int, .double, .string: false
    }
  }

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
