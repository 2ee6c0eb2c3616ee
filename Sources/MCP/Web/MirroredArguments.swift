package import Core

/// The arguments of a tool that travel as header fields too, because the input schema marks their
/// properties with `x-mcp-header` (2026-07-28, "Custom Headers from Tool Parameters").
package struct MirroredArguments: Sendable, Hashable {
  /// A marked property: the names that lead to it, and the field's name after `Mcp-Param-`.
  struct Property: Sendable, Hashable {
    var path: [String]
    var name: String
  }

  /// The integers that JavaScript represents exactly, beyond which no argument may be mirrored.
  private static let safeIntegers = -((1 << 53) - 1)...((1 << 53) - 1)

  /// The marked properties, sorted by the fields' names.
  private(set) var properties: [Property] = []

  /// Reads the marks of the given input schema.
  ///
  /// - Parameter schema: The tool's `inputSchema`, of which no reference is followed.
  /// - Throws: `InvalidResponse` if a mark breaks a rule; the tool must then be left out.
  package init(_ schema: JSONValue) throws(Failure) {
    var fields: Set<String> = []
    for position in SchemaPosition.all(of: schema) {
      guard let mark = position.members["x-mcp-header"] else { continue }
      let property = try Self.property(mark, at: position)
      guard fields.insert(property.name.lowercased()).inserted else {
        throw Self.fault("two properties have the 'x-mcp-header' '\(property.name)'")
      }
      properties.append(property)
    }
    properties.sort { $0.name < $1.name }
  }

  private static func property(
    _ mark: JSONValue, at position: SchemaPosition
  ) throws(Failure) -> Property {
    guard let path = position.path, let last = path.last else {
      throw Self.fault("'x-mcp-header' is outside of 'properties'")
    }
    let shown = "'\(Visible.line(String(last.prefix(60))))'"
    guard case .string(let name) = mark else {
      throw Self.fault("the 'x-mcp-header' of \(shown) is not a string")
    }
    guard !name.isEmpty, name.utf8.count <= 256, name.utf8.allSatisfy(isTokenByte) else {
      throw Self.fault("the 'x-mcp-header' of \(shown) is not the name of a field")
    }
    guard case .string(let type)? = position.members["type"],
      ["string", "integer", "boolean"].contains(type)
    else {
      throw Self.fault("\(shown) has an 'x-mcp-header', but is no string, integer or Boolean")
    }
    return Property(path: path, name: name)
  }

  private static func fault(_ explanation: String) -> Failure {
    Failure(.invalidResponse, explanation)
  }

  /// Returns `true` if the byte may be in a field's name (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Returns the fields for the given arguments: names after `Mcp-Param-`, and plain values.
  ///
  /// Absent and null arguments have no field.
  ///
  /// - Throws: `BadInput` if an integer is beyond the range that all servers represent exactly.
  package func fields(
    for arguments: [String: JSONValue]
  ) throws(Failure) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    for property in properties {
      var value: JSONValue? = .object(arguments)
      for name in property.path { value = value?.members?[name] }
      if let text = try Self.text(value, property) { fields.append((property.name, text)) }
    }
    return fields
  }

  private static func text(
    _ value: JSONValue?, _ property: Property
  ) throws(Failure) -> String? {
    switch value {
    case .string(let text)?: return text
    case .bool(let flag)?: return flag ? "true" : "false"
    case .int(let number)? where safeIntegers.contains(number): return String(number)
    case .int?, .double?:
      guard case .double(let number)? = value, let whole = Int(exactly: number),
        safeIntegers.contains(whole)
      else {
        let path = Visible.line(property.path.joined(separator: "."))
        throw Failure(
          .badInput, "the argument '\(path)' is not an integer of at most 53 bits")
      }
      return String(whole)
    case .null?, .array?, .object?, nil: return nil
    }
  }
}
