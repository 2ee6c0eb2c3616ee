import Core

/// A type that a schema can require of a value.
enum JSONType: String, Sendable, CaseIterable {
  case array, boolean, integer, null, number, object, string

  /// Returns the name of the given value's type, as a sentence contains it.
  static func name(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "a boolean"
    case .int, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  func has(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.array, .array), (.boolean, .bool), (.null, .null), (.number, .int), (.number, .double),
      (.integer, .int), (.object, .object), (.string, .string):
      true
    case (.integer, .double): ExactNumber(value)?.isWhole ?? false
    default: false
    }
  }
}

/// A requirement that one keyword of a schema makes on a value.
///
/// A subschema is represented by its index in the table of schemas.
enum SchemaKeyword: Sendable {
  /// The requirement of the schema `false`, which no value meets.
  case nothing
  case type([JSONType])
  case enumeration(Set<CanonicalJSON>, shown: String)
  case constant(CanonicalJSON, shown: String)
  case bound(NumberBound, ExactNumber)
  case multipleOf(ExactNumber)
  case count(CountBound, Int)
  case pattern(SchemaPattern)
  case uniqueItems
  case required([String])
  case dependentRequired([(name: String, others: [String])])
  /// A reference, given by its index. Its schema is resolved after all schemas are read.
  case reference(Int)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case condition(Int, then: Int?, otherwise: Int?)
  case dependentSchemas([(name: String, schema: Int)])
  case members(MemberSchemas)
  case propertyNames(Int)
  case items(prefix: [Int], rest: Int?)
  case contains(Int, least: Int, most: Int?)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)
}

/// A keyword that limits the value of a number.
enum NumberBound: String, Sendable, CaseIterable {
  case maximum, exclusiveMaximum, minimum, exclusiveMinimum

  func allows(_ number: ExactNumber, _ bound: ExactNumber) -> Bool {
    switch self {
    case .maximum: number <= bound
    case .exclusiveMaximum: number < bound
    case .minimum: number >= bound
    case .exclusiveMinimum: number > bound
    }
  }

  /// The relation of a number to the bound, in words.
  var words: String {
    switch self {
    case .maximum: "at most"
    case .exclusiveMaximum: "less than"
    case .minimum: "at least"
    case .exclusiveMinimum: "more than"
    }
  }
}

/// A keyword that limits a length or a count.
enum CountBound: String, Sendable, CaseIterable {
  case maxLength, minLength, maxItems, minItems, maxProperties, minProperties

  /// Returns the length or count of the given value; nil if the keyword does not apply to it.
  func count(of value: JSONValue) -> Int? {
    switch (self, value) {
    case (.maxLength, .string(let text)), (.minLength, .string(let text)): text.unicodeScalars.count
    case (.maxItems, .array(let items)), (.minItems, .array(let items)): items.count
    case (.maxProperties, .object(let members)), (.minProperties, .object(let members)):
      members.count
    default: nil
    }
  }

  func allows(_ count: Int, _ bound: Int) -> Bool {
    switch self {
    case .maxLength, .maxItems, .maxProperties: count <= bound
    case .minLength, .minItems, .minProperties: count >= bound
    }
  }

  /// Returns the requirement, with the given bound, in words.
  func words(_ bound: Int) -> String {
    let (limit, unit) =
      switch self {
      case .maxLength: ("at most", "character")
      case .minLength: ("at least", "character")
      case .maxItems: ("at most", "item")
      case .minItems: ("at least", "item")
      case .maxProperties: ("at most", "member")
      case .minProperties: ("at least", "member")
      }
    return "\(limit) \(bound) \(unit)\(bound == 1 ? "" : "s")"
  }
}

/// The schemas of an object's members.
///
/// They are those of `properties`, `patternProperties` and `additionalProperties`.
struct MemberSchemas: Sendable {
  var named: [String: Int] = [:]
  var patterns: [(pattern: SchemaPattern, schema: Int)] = []
  var additional: Int?
}

/// A schema and all its subschemas, by index.
///
/// The first is the root.
struct SchemaTable: Sendable {
  var keywords: [[SchemaKeyword]] = []
  /// For each reference, the index of the schema that it resolves to.
  var targets: [Int] = []
  /// `true` if a schema uses `unevaluatedProperties` or `unevaluatedItems`.
  var asksForUnevaluated = false
}
