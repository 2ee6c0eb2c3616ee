public import Core
import Foundation

/// A JSON Schema of draft 2020-12, against which values are held.
///
/// All of the core, applicator, unevaluated and validation vocabularies are kept, but for
/// `$dynamicRef` and references to what is outside of the document, which are refused. `format`, the
/// content's keywords and the descriptions are annotations: they judge nothing. Numbers are compared
/// by what they come to and strings by their code points, and a pattern is a regular expression of
/// ECMA-262 without references back to groups.
///
/// A schema comes from the user and a value from a model: neither can make the check run on, or
/// follow it deeper than the stack goes. A value that takes too much work does not fit.
///
///     let schema = try JSONSchema(.object(["type": .string("integer")]))
///     schema.problem(in: .string("seven"))?.sentence
///     // must be of type integer, and is a string
public struct JSONSchema: Sendable {
  private let table: SchemaTable

  /// Reads a schema.
  ///
  /// - Throws: `BadInput` of kind `schema`, which names the keyword by its JSON pointer, when the
  ///   schema is malformed or asks for what is not supported.
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

  /// The first thing by which a text does not fit, which may be that it is no JSON; nil when it does.
  public func problem(inText text: String) -> SchemaProblem? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
      return SchemaProblem("", "$schema", "is not JSON")
    }
    return problem(in: value)
  }

  /// The first thing by which a value does not fit; nil when it does.
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
