import Core

/// The schemas of forms, which are a small part of JSON Schema.
enum FormSchema {
  /// The maximum number of fields.
  private static let maximumFields = 100

  /// Returns `true` if the schema is an object whose members are strings, numbers, Booleans or
  /// choices from a list.
  static func isFlat(_ schema: JSONValue) -> Bool {
    guard let members = schema.members, members["type"] == .string("object"),
      let properties = members["properties"]?.members, properties.count <= maximumFields
    else { return false }
    return properties.values.allSatisfy(isPrimitive)
  }

  private static func isPrimitive(_ field: JSONValue) -> Bool {
    guard let members = field.members, case .string(let type)? = members["type"] else {
      return false
    }
    if ["string", "number", "integer", "boolean"].contains(type) {
      return members["properties"] == nil && members["items"] == nil
    }
    guard type == "array", let items = members["items"]?.members else { return false }
    return isList(items["enum"]) || isList(items["anyOf"])
  }

  private static func isList(_ value: JSONValue?) -> Bool {
    if case .array(let elements)? = value { !elements.isEmpty } else { false }
  }
}
