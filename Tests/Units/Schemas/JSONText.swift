import Core
import Foundation

@testable import Schemas

/// A JSON text as a value.
func json(_ text: String) throws -> JSONValue {
  try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
}

/// What is wrong with a value, in one line: where, by which keyword, and how.
func verdict(_ schema: String, _ value: String) throws -> String {
  let problem = try JSONSchema(json(schema)).problem(in: json(value))
  return problem.map { "\($0.pointer) \($0.keyword): \($0.sentence)" } ?? "fits"
}

/// Why a schema cannot be used; empty where it can.
func refusal(_ schema: String) throws -> String {
  refusal(of: try json(schema))
}

/// The same for a value.
func refusal(of schema: JSONValue) -> String {
  do throws(Failure) {
    _ = try JSONSchema(schema)
    return ""
  } catch {
    return error.code == .badInput && error.kind == .schema ? error.explanation : "\(error)"
  }
}
