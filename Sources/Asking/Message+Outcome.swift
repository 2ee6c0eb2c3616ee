package import Core
import Foundation
package import Providers

extension Message {
  /// Stores the given outcome in the message.
  ///
  /// Its tokens, cost and time are added to those of earlier requests for the same answer.
  /// `costUSD` is 0 before the first request, and nil once a cost is unknown.
  package mutating func apply(_ outcome: ModelOutcome, of choice: ModelChoice) {
    let answer = outcome.answer
    text = answer?.text ?? outcome.partial.text
    let thought = answer?.reasoning ?? outcome.partial.reasoning
    reasoning = thought.isEmpty ? nil : thought
    opaque = answer?.opaque
    let calls = (answer?.toolCalls ?? []).map { call in
      ToolCall(id: call.id, name: call.name, arguments: JSONValue(arguments: call.arguments))
    }
    toolCalls = calls.isEmpty ? nil : calls
    stopReason = answer?.stopReason
    complete = answer != nil
    error = outcome.failure
    if let more = outcome.usage { usage = usage.map { $0 + more } ?? more }
    costUSD = costUSD.flatMap { sum in outcome.costUSD.map { sum + $0 } }
    firstTokenMs = firstTokenMs ?? outcome.firstTokenMs
    totalMs = (totalMs ?? 0) + (outcome.totalMs ?? 0)
    createdAt = createdAt ?? .now
    model = choice.name
    modelNamed = choice.namedMark
  }
}

extension JSONValue {
  /// Creates the arguments of a tool call: a JSON object, or the text if the model wrote no object.
  fileprivate init(arguments: String) {
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(arguments.utf8))
    if case .object? = value, let value { self = value } else { self = .string(arguments) }
  }
}
