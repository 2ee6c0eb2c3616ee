import Core

/// The JSON types that a schema allows for a member, as far as they can be told at a glance.
struct ArgumentTypes {
  /// The names of the types, such as `integer`; empty if the schema does not name any.
  let names: Set<String>

  /// Reads the types of the given member of an object from the object's schema.
  init(of name: String, in schema: JSONValue) {
    var names: Set<String> = []
    if let part = schema["properties"]?[name] {
      Self.collect(part, in: schema, &names)
    }
    self.names = names
  }

  private static func collect(
    _ part: JSONValue, in document: JSONValue, depth: Int = 0, _ names: inout Set<String>
  ) {
    // Schemas may refer to themselves.
    guard depth < 8 else { return }
    if let type = part["type"]?.text { names.insert(type) }
    names.formUnion(part["type"]?.texts ?? [])
    for value in (part["enum"]?.items ?? []) + [part["const"]].compactMap(\.self) {
      names.insert(type(of: value))
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
      for branch in part[keyword]?.items ?? [] {
        collect(branch, in: document, depth: depth + 1, &names)
      }
    }
    if let target = part["$ref"]?.text.flatMap({ Self.target($0, document) }) {
      collect(target, in: document, depth: depth + 1, &names)
    }
  }

  /// Returns the definition that a plain reference names, such as `#/$defs/Zone`.
  private static func target(_ reference: String, _ document: JSONValue) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    var value: JSONValue? = document
    for step in reference.dropFirst(2).split(separator: "/") { value = value?[String(step)] }
    return value
  }

  private static func type(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// Returns the given text as a value of one of the types; the text itself if none fits.
  ///
  /// If a member may be a string, the text is the string.
  func value(_ text: String) -> JSONValue {
    guard !names.isEmpty, !names.contains("string"), let value = JSONValue(json: text.utf8) else {
      return .string(text)
    }
    switch value {
    case .int where names.contains("integer") || names.contains("number"): return value
    case .double(let number):
      if names.contains("number") { return value }
      guard names.contains("integer"), let whole = Int(exactly: number) else { break }
      return .int(whole)
    case .bool where names.contains("boolean"): return value
    case .null where names.contains("null"): return value
    case .array where names.contains("array"): return value
    case .object where names.contains("object"): return value
    default: break
    }
    return .string(text)
  }
}
