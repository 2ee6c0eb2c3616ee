import Core

/// The JSON types that a schema allows for a member, as far as they can be told at a glance.
struct ArgumentTypes {
  /// The names of the types, such as `integer`; empty if the schema does not name any.
  let names: Set<String>

  /// Reads the types of the given member of an object from the object's schema.
  init(of name: String, in schema: JSONValue) {
    var names: Set<String> = []
    for part in schema.alternatives(in: schema).compactMap({ $0["properties"]?[name] }) {
      for part in part.alternatives(in: schema) { names.formUnion(Self.types(of: part)) }
    }
    self.names = names
  }

  /// Returns the types that the given part of a schema names itself.
  private static func types(of part: JSONValue) -> Set<String> {
    let values = (part["enum"]?.items ?? []) + [part["const"]].compactMap(\.self)
    return Set(
      [part["type"]?.text].compactMap(\.self) + (part["type"]?.texts ?? []) + values.map(type))
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

extension JSONValue {
  /// The largest number of parts that are looked at, because schemas may refer to themselves.
  private static let mostAlternatives = 1000

  /// Returns the parts of a schema that describe the same value: the schema itself, the branches of
  /// its compositions, and the definitions that these refer to.
  ///
  /// - Parameter document: The whole schema, to which plain references such as `#/$defs/Zone` are
  ///   relative.
  /// - Returns: The parts.
  func alternatives(in document: JSONValue) -> [JSONValue] {
    var (found, rest) = ([JSONValue](), [self])
    while let part = rest.popLast(), found.count < Self.mostAlternatives {
      found.append(part)
      for keyword in ["anyOf", "oneOf", "allOf"] {
        rest += (part[keyword]?.items ?? []).prefix(Self.mostAlternatives)
      }
      rest += ["then", "else"].compactMap { part[$0] }
      if let target = part["$ref"]?.text.flatMap(document.definition) { rest.append(target) }
    }
    return found
  }

  /// Returns the part that a plain reference names.
  private func definition(_ reference: String) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return reference == "#" ? self : nil }
    var value: JSONValue? = self
    for step in reference.dropFirst(2).split(separator: "/") { value = value?[String(step)] }
    return value
  }
}
