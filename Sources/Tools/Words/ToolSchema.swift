import Core
import Schemas

/// The schema of a tool, as far as values can be checked against it.
enum ToolSchema {
  /// Values are checked.
  case checked(JSONSchema)
  /// Values are not checked, for the reason.
  case unchecked(String)
  /// The schema refers to another document, so the tool cannot be used.
  case foreign(String)

  /// The dialects whose schemas are read by the rules of 2020-12, to which they are close.
  private static let older = ["draft-04", "draft-06", "draft-07", "2019-09"]

  /// Creates the schema from its JSON.
  init(_ value: JSONValue) {
    var value = value
    if case .object(var members) = value, let dialect = members["$schema"]?.text,
      Self.older.contains(where: dialect.contains)
    {
      members["$schema"] = nil
      value = .object(members)
    }
    do throws(Failure) {
      self = .checked(try JSONSchema(value))
    } catch {
      self =
        Self.refersElsewhere(value) ? .foreign(error.explanation) : .unchecked(error.explanation)
    }
  }

  /// Returns `true` if a `$ref` in the given schema names a document.
  private static func refersElsewhere(_ schema: JSONValue) -> Bool {
    var rest = [schema]
    // A list instead of recursion, because schemas may be deeply nested.
    while let value = rest.popLast() {
      switch value {
      case .array(let items): rest += items
      case .object(let members):
        if let reference = members["$ref"]?.text, !reference.hasPrefix("#") { return true }
        rest += members.values
      default: break
      }
    }
    return false
  }
}
