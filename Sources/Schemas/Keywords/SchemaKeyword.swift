import Core

/// The types that a schema may ask for.
enum JSONType: String, Sendable, CaseIterable {
  case array, boolean, integer, null, number, object, string

  /// What a value is told to be.
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

/// One thing that a schema asks of a value.
///
/// Other schemas are told by their index in the table.
enum SchemaKeyword: Sendable {
  /// The schema `false`.
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
  /// The index of a reference, whose schema is found when all are read.
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

/// A bound of a number.
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

  /// What a number must be.
  var words: String {
    switch self {
    case .maximum: "at most"
    case .exclusiveMaximum: "less than"
    case .minimum: "at least"
    case .exclusiveMinimum: "more than"
    }
  }
}

/// A bound of how much there is of something.
enum CountBound: String, Sendable, CaseIterable {
  case maxLength, minLength, maxItems, minItems, maxProperties, minProperties

  /// How many the value has, if the bound is for such values.
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

  /// What a value must have, for a bound.
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

/// What the members of an object must be: `properties`, `patternProperties` and
/// `additionalProperties`.
struct MemberSchemas: Sendable {
  var named: [String: Int] = [:]
  var patterns: [(pattern: SchemaPattern, schema: Int)] = []
  var additional: Int?
}

/// A schema and all below it, told by their indices; the first is the whole.
struct SchemaTable: Sendable {
  var keywords: [[SchemaKeyword]] = []
  /// The schema that each reference means.
  var targets: [Int] = []
  /// Whether any schema asks what others left unevaluated.
  var asksForUnevaluated = false
}
