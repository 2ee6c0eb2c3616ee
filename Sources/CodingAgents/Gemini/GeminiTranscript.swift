public import Core

/// A parser of Gemini CLI's session files, `~/.gemini/tmp/PROJECT/chats/session-*.jsonl`.
///
/// A message is written again under its id when it gains tools or tokens: the last one is valid.
/// Older versions wrote one object with a list of messages, which is read as one line.
public struct GeminiTranscript: TranscriptParser {
  /// The end of an answer that is not whole, by the beginning of a notice about it.
  private static let notices = [
    ("Response truncated due to token limits", "MAX_TOKENS"),
    ("Response stopped due to malformed function call", "MALFORMED_FUNCTION_CALL"),
    ("Response stopped due to unexpected tool call", "UNEXPECTED_TOOL_CALL"),
    ("Response stopped", "SAFETY"),
  ]

  private let limits: SessionLimits
  private let parent: String?
  private let folder: String?
  /// The session of the file.
  public private(set) var session: SessionKey
  /// The id of the last answer.
  private var last: String?

  /// Creates a parser that has read no lines yet.
  ///
  /// - Parameters:
  ///   - session: The session that the file's name states.
  ///   - parent: The id of the session whose subagent the session is; nil for none.
  ///   - folder: The working folder, which the file does not contain.
  ///   - limits: The largest sizes of texts.
  public init(
    _ session: SessionKey, parent: String? = nil, folder: String? = nil, limits: SessionLimits
  ) {
    (self.session, self.parent, self.folder) = (session, parent, folder)
    self.limits = limits
  }

  /// Returns the entries of the given line.
  public mutating func entries(of line: JSONObject) -> [SessionEntry] {
    if let id = line.string("sessionId") {
      session.id = id
      let facts = [entry(.facts(self.facts), line.string("startTime"))]
      return facts + line.objects("messages").flatMap { message($0) }
    }
    if let change = line.object("$set") { return self.change(change) }
    if let id = line.string("$rewindTo") {
      return [entry(.rewind(.before(scoped(id))), nil)]
    }
    return message(line)
  }

  private var facts: SessionFacts {
    var facts = SessionFacts()
    (facts.folder, facts.parent) = (folder, parent)
    return facts
  }

  private func entry(_ content: SessionEntry.Content, _ instant: String?) -> SessionEntry {
    SessionEntry(session, content, at: instant.flatMap { Timestamp(iso8601: $0) })
  }

  /// Returns an id that is unique among all sessions.
  private func scoped(_ id: String) -> String { "\(session.id) \(id)" }

  private mutating func change(_ change: JSONObject) -> [SessionEntry] {
    var entries: [SessionEntry] = []
    if let summary = change.string("summary"), limits.readsText {
      var facts = SessionFacts()
      (facts.title, facts.naming) = (limits.message(summary), .model)
      entries.append(entry(.facts(facts), nil))
    }
    if change.has("messages") {
      let messages = change.objects("messages")
      let ids = messages.compactMap { $0.string("id").map(scoped) }
      entries.append(entry(.rewind(.only(Set(ids))), nil))
      entries += messages.flatMap { message($0) }
    }
    return entries
  }

  private mutating func message(_ line: JSONObject) -> [SessionEntry] {
    let at = line.string("timestamp")
    guard let id = line.string("id").map(scoped) else {
      return [entry(.unknown(EntryKind.name(line.type.isEmpty ? "without id" : line.type)), at)]
    }
    switch line.type {
    case "user":
      let text = line.texts("content").joined(separator: "\n")
      guard !text.hasPrefix("<session_context>") else { return [] }
      let files = line.objects("content").compactMap { file($0) }
      return [entry(.prompt(SessionPrompt(id: id, text: limits.message(text), files: files)), at)]
    case "gemini":
      last = id
      return answer(line, id, at)
    case "info", "warning": return notice(line, at)
    case "error":
      let text = line.texts("content").joined(separator: "\n")
      return [entry(.failure(Failure(call: text).cut(limits)), at)]
    case let type: return [entry(.unknown(EntryKind.name(type)), at)]
    }
  }

  /// Returns the end of the last answer, if the given notice tells that it is not whole.
  private func notice(_ line: JSONObject, _ at: String?) -> [SessionEntry] {
    let text = line.texts("content").joined(separator: "\n").prefix(200)
    guard let last, let reason = Self.notices.first(where: { text.contains($0.0) })?.1 else {
      return []
    }
    var end = SessionAnswer(id: last)
    end.failure = Failure(endOfAnswer: reason)
    return [entry(.answer(end), at)]
  }

  private func file(_ part: JSONObject) -> SessionFile? {
    guard limits.readsText, let data = part.object("inlineData"),
      let content = data.string("data")
    else { return nil }
    return SessionFile(contentType: data.string("mimeType") ?? "", data: content)
  }

  private func answer(_ line: JSONObject, _ id: String, _ at: String?) -> [SessionEntry] {
    var answer = SessionAnswer(id: id, model: line.string("model"))
    answer.isWhole = true
    answer.stopReason = line.string("finishReason")
    answer.failure = Failure(endOfAnswer: answer.stopReason)
    answer.text = limits.message(line.texts("content").joined(separator: "\n"))
    answer.reasoning = limits.message(
      line.objects("thoughts").map { thought in
        [thought.string("subject"), thought.string("description")].compactMap(\.self)
          .joined(separator: ": ")
      }.joined(separator: "\n"))
    let calls = line.objects("toolCalls")
    answer.toolCalls = calls.enumerated().map { index, call in
      SessionToolCall(
        id: call.string("id") ?? "\(id) \(index)", name: call.string("name") ?? "tool",
        arguments: call.arguments("args", limits))
    }
    var entries = [entry(.answer(answer), at)]
    if let tokens = line.object("tokens") {
      let call = SessionCall(
        id: id, answer: id, model: answer.model, usage: Usage(gemini: tokens))
      entries.append(entry(.call(call), at))
    }
    for (index, call) in calls.enumerated() {
      guard let result = result(call, answer.toolCalls[index].id) else { continue }
      entries.append(entry(.result(result), call.string("timestamp") ?? at))
    }
    return entries
  }

  private func result(_ call: JSONObject, _ id: String) -> SessionResult? {
    let status = call.string("status") ?? ""
    guard ["success", "error", "cancelled"].contains(status) else { return nil }
    let texts = call.objects("result").compactMap { part -> String? in
      let response = part.object("functionResponse")?.object("response")
      return response?.string("output") ?? response?.string("error") ?? response?.json
        ?? part.string("text")
    }
    let text = texts.isEmpty ? status : texts.joined(separator: "\n")
    return SessionResult(call: id, text: limits.output(text), isError: status != "success")
  }
}
