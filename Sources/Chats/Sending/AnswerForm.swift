import Core
import Foundation
import Providers
import Schemas

/// The form that an answer has to have: JSON that fits a schema.
struct AnswerForm: Sendable {
  /// What a provider is told of it.
  let schema: AnswerSchema
  private let rules: JSONSchema

  /// Reads a schema.
  ///
  /// - Throws: `BadInput` of kind `schema`.
  init(_ json: String) throws(Failure) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else {
      throw Failure(.badInput, "the schema is not JSON", kind: .schema)
    }
    rules = try JSONSchema(value)
    schema = AnswerSchema(name: "answer", json: json)
  }

  /// Why an answer does not fit, with the place as a JSON pointer; nil where it does.
  func problem(of answer: ModelAnswer) -> (pointer: String, sentence: String)? {
    guard answer.toolCalls.isEmpty else { return nil }
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(answer.text.utf8))
    else { return ("", "the answer is not JSON") }
    return rules.problem(in: value).map { ($0.pointer, $0.sentence) }
  }

  /// The request after an answer that does not fit.
  func again(
    _ request: ModelRequest, after answer: ModelAnswer,
    _ problem: (pointer: String, sentence: String)
  ) -> ModelRequest {
    var again = request
    let place = problem.pointer.isEmpty ? "" : " at '\(problem.pointer)'"
    again.turns += [
      .init(role: "assistant", parts: [.text(answer.text)], opaque: answer.opaque),
      .init(
        role: "user",
        text: "That does not fit the JSON schema\(place): \(problem.sentence). Answer with JSON "
          + "that fits, and nothing else."),
    ]
    return again
  }

  /// What an answer ends with that never fitted.
  static func failure(_ problem: (pointer: String, sentence: String), model: String) -> Failure {
    Failure(
      .invalidResponse,
      "'\(model)' gave no answer that fits the schema: '\(problem.pointer)' \(problem.sentence)",
      kind: .schema, input: problem.pointer.isEmpty ? nil : problem.pointer)
  }
}
