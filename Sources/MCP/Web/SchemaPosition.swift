import Core

/// A schema inside a JSON Schema of draft 2020-12, and the way to it.
struct SchemaPosition {
  /// The keywords whose value is one schema.
  private static let single: Set = [
    "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
  ]
  /// The keywords whose value is an array of schemas.
  private static let listed: Set = ["allOf", "anyOf", "items", "oneOf", "prefixItems"]
  /// The keywords whose value is an object of schemas.
  private static let named: Set = [
    "$defs", "definitions", "dependentSchemas", "patternProperties",
  ]

  /// The names of `properties` that lead here from the root; nil if another keyword is on the way.
  var path: [String]?
  /// The members of the schema.
  var members: [String: JSONValue]

  /// Returns all schemas inside the given schema, which comes first.
  ///
  /// References are not followed, and values such as `default` are not searched.
  static func all(of schema: JSONValue) -> [SchemaPosition] {
    guard let members = schema.members else { return [] }
    var found = [SchemaPosition(path: [], members: members)]
    var next = 0
    while next < found.count {
      found += found[next].inner
      next += 1
    }
    return found
  }

  private var inner: [SchemaPosition] {
    members.sorted { $0.key < $1.key }.flatMap { keyword, value -> [SchemaPosition] in
      switch value {
      case .object(let schemas) where keyword == "properties":
        schemas.sorted { $0.key < $1.key }.compactMap { name, schema in
          schema.members.map { SchemaPosition(path: path.map { $0 + [name] }, members: $0) }
        }
      case .object(let members) where Self.single.contains(keyword):
        [SchemaPosition(path: nil, members: members)]
      case .object(let schemas) where Self.named.contains(keyword):
        schemas.values.compactMap(Self.outside)
      case .array(let schemas) where Self.listed.contains(keyword):
        schemas.compactMap(Self.outside)
      default: []
      }
    }
  }

  private static func outside(_ schema: JSONValue) -> SchemaPosition? {
    schema.members.map { SchemaPosition(path: nil, members: $0) }
  }
}
