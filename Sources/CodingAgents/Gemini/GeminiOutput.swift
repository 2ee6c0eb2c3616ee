public import Core

/// A parser of the output of `gemini --output-format stream-json`.
///
/// Only the last line has token counts. Gemini CLI reports no cost.
public struct GeminiOutput: OutputParser {
  /// The type of the error of a call that a permission refused.
  private static let refusal = "policy_violation"

  private var session = ""
  private var model: String?
  /// The number of characters of the message that arrives in parts; nil if there is none.
  private var partial: Int?
  private var results = 0
  /// `true` after a line of the program was seen.
  public private(set) var isKnown = false

  /// Creates a parser that has read no lines yet.
  public init() {}

  /// Returns the entries of the given line; nil if Gemini CLI did not print it.
  public mutating func entries(of line: JSONObject, at now: Timestamp) -> [SessionEntry]? {
    guard line.string("timestamp") != nil, let contents = contents(of: line, at: now) else {
      return nil
    }
    return entries(contents)
  }

  /// Returns the entry of a message whose last part has not arrived.
  public mutating func end() -> [SessionEntry] { entries(endMessage()) }

  private func entries(_ contents: [SessionEntry.Content]) -> [SessionEntry] {
    contents.map { SessionEntry(SessionKey(.gemini, session), $0, at: nil) }
  }

  private mutating func contents(
    of line: JSONObject, at now: Timestamp
  ) -> [SessionEntry.Content]? {
    if line.type == "init", let session = line.string("session_id"),
      let model = line.string("model")
    {
      (isKnown, self.session, self.model) = (true, session, String(model.prefix(200)))
      return [.note(.info, "session begins with \(model.prefix(100))")]
    }
    guard isKnown, !line.type.isEmpty else { return nil }
    if line.type == "message", line.isTrue("delta") {
      partial = (partial ?? 0) + line.characters("content")
      return []
    }
    return endMessage() + whole(line, at: now)
  }

  /// Returns the message whose last part has arrived.
  private mutating func endMessage() -> [SessionEntry.Content] {
    defer { partial = nil }
    return partial.map { [.note(.info, "assistant message, \($0) characters")] } ?? []
  }

  private mutating func whole(_ line: JSONObject, at now: Timestamp) -> [SessionEntry.Content] {
    switch line.type {
    case "message":
      let text = line.texts("content").joined()
      return [line.string("role") == "user" ? .prompt(SessionPrompt(text: text)) : .text(text)]
    case "tool_use": return [.tool(line.string("tool_id"), line.string("tool_name") ?? "tool")]
    case "tool_result": return [.result(result(line))]
    case "error":
      let text = line.string("message") ?? ""
      let isWarning = line.string("severity") == "warning"
      let limit = isWarning ? nil : SessionEntry.Content.limit(in: text, at: now)
      return [limit, .note(isWarning ? .warn : .error, "error: \(text)")].compactMap(\.self)
    case "result": return end(line, at: now)
    case let type: return [.note(.debug, type.prefix(100))]
    }
  }

  private func result(_ line: JSONObject) -> SessionResult {
    var result = SessionResult(
      call: line.string("tool_id") ?? "", text: line.texts("output").joined(separator: "\n"),
      isError: line.string("status") == "error")
    guard result.isError else { return result }
    result.error = line.object("error")?.string("type").map { String($0.prefix(100)) }
    result.isRefused = result.error == Self.refusal
    return result
  }

  private mutating func end(_ line: JSONObject, at now: Timestamp) -> [SessionEntry.Content] {
    results += 1
    let stats = line.object("stats")
    let models = stats?.object("models")
    let names = models?.names.prefix(100) ?? []
    var counts = names.compactMap { name in
      models?.object(name).map { (String(name.prefix(200)), Usage(geminiSums: $0)) }
    }
    if counts.isEmpty, let stats, let model { counts = [(model, Usage(geminiSums: stats))] }
    let calls = counts.map { name, usage in
      var call = SessionCall(id: "\(results) \(name)", answer: "", model: name, usage: usage)
      (call.coversTurn, call.isFinal) = (true, true)
      return SessionEntry.Content.call(call)
    }
    let hasFailed = line.string("status") == "error"
    let text = line.object("error")?.string("message") ?? ""
    let limit = hasFailed ? SessionEntry.Content.limit(in: text, at: now) : .output(.limit(nil))
    let why = text.isEmpty ? "" : ": \(text)"
    let words = "result \(line.string("status")?.prefix(100) ?? "")\(why)"
    return calls + [limit, .note(hasFailed ? .error : .info, words)].compactMap(\.self)
  }
}

extension Usage {
  /// The largest plausible sum of the tokens of a run.
  private static let largestSum = 1_000_000_000_000

  /// Creates the usage from sums in the form of Gemini CLI, whose input includes cached tokens, and
  /// whose output excludes thoughts.
  ///
  /// Thoughts are the rest of the total.
  fileprivate init?(geminiSums stats: JSONObject) {
    func sum(_ name: String) -> TokenCount { stats.tokens(name, atMost: Self.largestSum) }
    let (input, output, total) = (sum("input_tokens"), sum("output_tokens"), sum("total_tokens"))
    var thoughts = total
    if let all = total.value, let input = input.value, let output = output.value {
      thoughts = .number(max(0, all - input - output))
    }
    self.init(
      input: input, output: output, read: sum("cached"), reasoning: thoughts, isOutputAnswer: true)
    reasoningTokens = nil
  }
}
