import Core
import Foundation

/// Rendering of whole messages.
extension RecordText {
  /// Returns the given message below its sender's name.
  ///
  /// Its notes follow.
  func text(_ message: Message) -> String {
    let body = message.text.contains { !$0.isWhitespace } ? message.text : ""
    let notes = notes(message)
    var words = document(heading(message), body)
    guard !notes.isEmpty else { return words }
    // One empty line stands between two messages, and one after the last message.
    while words.hasSuffix("\n\n\n") { words.removeLast() }
    return words + notes + "\n"
  }

  /// Returns the given tool call on one line.
  func text(_ call: ToolCall) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let arguments = (try? encoder.encode(call.arguments)) ?? Data()
    let name = [call.source, call.name].compactMap(\.self).joined(separator: "/")
    return line("calls \(name) \(String(decoding: arguments, as: UTF8.self))")
  }

  /// Returns a line about the given result: its permission, its duration and its log id.
  private func summary(_ result: ToolResult) -> String {
    let name = [result.source, result.name].compactMap(\.self).joined(separator: "/")
    let facts = [
      result.isError ? "failed" : "done", result.consent.map { "permission: \($0)" },
      result.durationMs.map { "\(Int($0.rounded())) ms" }, result.logId.map { "log: \($0)" },
    ].compactMap(\.self)
    return line("\(name): \(facts.joined(separator: ", "))")
  }

  private func heading(_ message: Message) -> String {
    [
      message.role, message.model, message.chosen == true ? "chosen" : nil,
      message.complete == false ? "not complete" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the attachments, tool calls and results of the given message, and the reason if it is
  /// incomplete.
  private func notes(_ message: Message) -> String {
    let files = (message.attachments ?? []).map { file in
      line("with \(file.name), \(file.contentType), \(Numbers.of(file.bytes, "byte"))")
    }
    let calls = (message.toolCalls ?? []).map { text($0) }
    let results = (message.toolResults ?? []).map { summary($0) + text($0) }
    return (files + calls + results).joined() + (message.error.map(reason) ?? "")
  }

  private func reason(_ failure: Failure) -> String {
    let sentence = Visible.line(failure.sentence)
    return Cells.wrapped(sentence, to: width ?? .max).map { palette.painted($0, .bad) + "\n" }
      .joined()
  }
}
