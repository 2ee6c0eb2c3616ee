import Core
import Foundation
import Providers
import Schemas

/// The required form of an answer: JSON that fits a schema.
struct AnswerForm: Sendable {
  /// The schema as providers receive it.
  let schema: AnswerSchema
  private let rules: JSONSchema

  /// Parses the given schema.
  ///
  /// - Throws: `BadInput` of the kind `schema` if the schema is malformed or unsupported.
  init(_ json: String) throws(Failure) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else {
      throw Failure(.badInput, "the schema is not JSON", kind: .schema)
    }
    rules = try JSONSchema(value)
    schema = AnswerSchema(name: "answer", json: json)
  }

  /// Returns the first place at which the given answer does not fit the schema; nil if it fits.
  func problem(of answer: ModelAnswer) -> SchemaProblem? {
    answer.toolCalls.isEmpty ? rules.problem(inText: answer.text) : nil
  }

  /// Returns a request that asks the model to repair the given answer, which does not fit the
  /// schema.
  func again(
    _ request: ModelRequest, after answer: ModelAnswer, _ problem: SchemaProblem
  ) -> ModelRequest {
    var again = request
    again.turns += [
      .init(role: "assistant", parts: [.text(answer.text)], opaque: answer.opaque),
      .init(
        role: "user",
        text: "That does not fit the JSON schema: \(Self.reason(problem)). Answer with JSON that "
          + "fits, and nothing else."),
    ]
    return again
  }

  /// Returns the failure that reports that no answer fits the schema.
  static func failure(_ problem: SchemaProblem, model: String) -> Failure {
    Failure(
      .invalidResponse,
      "the answer from '\(model)' does not match the schema: \(reason(problem))",
      kind: .schema, input: problem.pointer.isEmpty ? nil : problem.pointer)
  }

  private static func reason(_ problem: SchemaProblem) -> String {
    problem.pointer.isEmpty ? "it \(problem.explanation)" : problem.explanation
  }
}
