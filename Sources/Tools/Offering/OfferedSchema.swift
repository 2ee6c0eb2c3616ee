import Core
import Providers
import Schemas

/// The schema of a tool in a form that every provider accepts.
///
/// Providers require an object at the root, and refuse composition there. They also refuse schemas
/// that are invalid.
struct OfferedSchema {
  /// The keywords that a provider refuses at the root.
  private static let refused = ["$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"]
  /// The keywords of definitions, which stay at the root.
  private static let definitions = ["$defs", "definitions"]
  /// The keywords whose value has a schema for each name.
  private static let named: Set = [
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
  ]
  /// The keywords whose value is data, in which `$ref` means nothing.
  private static let data: Set = ["const", "default", "enum", "examples"]

  /// The schema.
  private(set) var value: JSONValue
  /// `true` if the schema wraps the arguments, as ``ToolOffer/wrapsArguments`` says.
  private(set) var wraps = false
  /// `true` if the tool's own schema is invalid, so that any object is accepted in its place.
  private(set) var isReplaced = false

  /// Creates the form of the given schema.
  ///
  /// - Throws: `BadInput` if no call can fit the schema, or if it refers to another document.
  init(_ schema: JSONValue) throws(Failure) {
    value = .object(["type": .string("object")])
    switch ToolSchema(schema) {
    case .foreign(let reason): throw Failure(.badInput, reason, kind: .schema)
    case .unchecked: isReplaced = true
    case .checked:
      guard var members = schema.members else { return }
      let types = members["type"]?.texts ?? members["type"]?.text.map { [$0] }
      guard types?.contains("object") ?? true else {
        throw Failure(.badInput, "its schema accepts no object", kind: .schema)
      }
      guard Self.refused.allSatisfy({ members[$0] == nil }) else {
        (value, wraps) = (Self.wrapped(members), true)
        return
      }
      members["type"] = .string("object")
      value = .object(members)
    }
  }

  /// Returns an object with one member, which has the given schema.
  private static func wrapped(_ members: [String: JSONValue]) -> JSONValue {
    var (inner, outer) = (members, [String: JSONValue]())
    // The wrapper must not change what the references of the schema are relative to.
    inner["$id"] = nil
    outer["$schema"] = inner.removeValue(forKey: "$schema")
    for keyword in definitions {
      guard let parts = inner.removeValue(forKey: keyword)?.members else { continue }
      outer[keyword] = .object(parts.mapValues(moved))
    }
    outer["type"] = .string("object")
    outer["properties"] = .object([ToolOffer.wrapper: moved(.object(inner))])
    outer["required"] = .array([.string(ToolOffer.wrapper)])
    outer["additionalProperties"] = .bool(false)
    return .object(outer)
  }

  /// Returns the given part of a schema with its references changed to the place in the wrapper.
  private static func moved(_ part: JSONValue) -> JSONValue {
    // References in a part with an id are relative to that part.
    guard case .object(var members) = part, members["$id"] == nil else { return part }
    for (keyword, value) in members where !data.contains(keyword) {
      switch value {
      case .string(let target) where keyword == "$ref":
        members[keyword] = .string(moved(reference: target))
      case .object(let parts) where named.contains(keyword):
        members[keyword] = .object(parts.mapValues(moved))
      case .object: members[keyword] = moved(value)
      case .array(let parts): members[keyword] = .array(parts.map(moved))
      default: break
      }
    }
    return .object(members)
  }

  private static func moved(reference: String) -> String {
    guard reference == "#" || reference.hasPrefix("#/"),
      !definitions.contains(where: { reference.hasPrefix("#/\($0)/") })
    else { return reference }
    return "#/properties/\(ToolOffer.wrapper)" + reference.dropFirst()
  }
}

extension ToolOffer {
  /// Creates the offer of the given tool under the given name.
  ///
  /// - Throws: As ``OfferedSchema/init(_:)``.
  init(_ tool: ToolRecord, as name: String) throws(Failure) {
    let schema = try OfferedSchema(tool.inputSchema)
    var description = tool.description ?? tool.title ?? ""
    if schema.isReplaced {
      description += "\n\nThe arguments follow this JSON Schema: \(tool.inputSchema.json)"
    }
    self.init(name: name, description: description, inputSchema: schema.value.json)
    wrapsArguments = schema.wraps
  }
}
