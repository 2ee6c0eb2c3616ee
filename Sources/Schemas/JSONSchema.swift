public import Core
import Foundation

/// A JSON Schema of draft 2020-12, against which values are validated.
///
/// All keywords of the core, applicator, unevaluated and validation vocabularies are supported,
/// except `$dynamicRef` and references outside the document, which are rejected. `format`, the
/// content keywords and the descriptions have no effect. Numbers are compared by value, strings by
/// code points. A pattern is a regular expression of ECMA-262 without back references.
///
/// Schemas come from the user and values from a model. Neither can make the check run without end
/// or exceed the stack, because a value that takes too much work does not match.
///
///     let schema = try JSONSchema(.object(["type": .string("integer")]))
///     schema.problem(in: .string("seven"))?.sentence
///     // must be of type integer, and is a string
public struct JSONSchema: Sendable {
  private let table: SchemaTable

  /// Creates a schema from its JSON.
  ///
  /// - Throws: `BadInput` of kind `schema` if the schema is malformed or uses an unsupported
  ///   feature. The message names the keyword by its JSON pointer.
  public init(_ value: JSONValue) throws(Failure) {
    let read = DeepStack.run { () -> Result<SchemaTable, Failure> in
      do throws(Failure) {
        return .success(try SchemaReader(value).table)
      } catch {
        return .failure(error)
      }
    }
    table = try read.get()
  }

  /// Returns the first mismatch between the given text and the schema; nil if the text matches.
  ///
  /// Text that is not JSON is a mismatch.
  public func problem(inText text: String) -> SchemaProblem? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
      return SchemaProblem("", "$schema", "is not JSON")
    }
    return problem(in: value)
  }

  /// Returns the first mismatch between the given value and the schema; nil if the value matches.
  public func problem(in value: JSONValue) -> SchemaProblem? {
    problem(in: value, CheckingWork())
  }

  func problem(in value: JSONValue, _ work: CheckingWork) -> SchemaProblem? {
    if value.isTooDeep {
      return SchemaProblem("", "$schema", "is nested more than \(JSONValue.mostDepth) levels deep")
    }
    return DeepStack.run { [table] in
      var check = SchemaCheck(table, work)
      var seen = SeenParts()
      do throws(SchemaProblem) {
        return try check.check(value, 0, for: "$schema", &seen)
      } catch {
        return error
      }
    }
  }
}
