public import Core

/// A parser of the rows of OpenCode's database, and of the files that older versions wrote instead.
///
/// Tokens and costs of a message are valid. The columns of sessions and the parts `step-finish`
/// repeat them.
public struct OpenCodeTranscript: Sendable {
  /// A message, and its parts in order.
  public struct Message: Sendable {
    /// The id of the message.
    public var id: String
    /// The id of the session.
    public var sessionId: String
    /// The type of a message of version 2, which contains its parts; nil in version 1.
    public var type: String?
    /// The time of creation.
    public var created: Timestamp?
    /// The message as JSON.
    public var data: [UInt8]
    /// The parts as JSON.
    public var parts: [[UInt8]]

    /// Creates a message.
    public init(
      id: String, sessionId: String, type: String? = nil, created: Timestamp?, data: [UInt8],
      parts: [[UInt8]] = []
    ) {
      (self.id, self.sessionId, self.type, self.created) = (id, sessionId, type, created)
      (self.data, self.parts) = (data, parts)
    }
  }

  /// The types of parts that contain nothing of interest.
  private static let asides: Set = [
    "agent", "file", "patch", "snapshot", "step-finish", "step-start", "subtask",
  ]
  /// The types of messages of version 2 that contain nothing of interest.
  private static let asidesOfV2: Set = [
    "agent-switched", "model-switched", "shell", "synthetic", "system",
  ]

  private let limits: SessionLimits

  /// Creates a parser.
  public init(limits: SessionLimits) { self.limits = limits }

  /// Returns the facts of a session, from the file that an older version wrote.
  public func facts(of session: JSONObject) -> SessionFacts {
    facts(
      folder: session.string("directory"), title: session.string("title"),
      version: session.string("version"), parent: session.string("parentID"))
  }

  /// Returns the facts of a session.
  public func facts(
    folder: String?, title: String?, version: String?, parent: String?, forkedFrom: String? = nil
  ) -> SessionFacts {
    var facts = SessionFacts()
    (facts.folder, facts.version) = (folder, version)
    (facts.parent, facts.forkedFrom) = (parent, forkedFrom)
    if let title, limits.readsText {
      (facts.title, facts.naming) = (limits.message(title), .model)
    }
    return facts
  }

  /// Returns the entries of the given message.
  public func entries(of message: Message) -> [SessionEntry] {
    let key = SessionKey(.opencode, message.sessionId)
    guard let data = JSONObject(message.data) else {
      return [SessionEntry(key, .unreadable, at: message.created)]
    }
    let time = data.object("time")?.instant("created") ?? message.created
    let unread = message.parts.count
    var parts = message.parts.compactMap { JSONObject($0) }
    var contents = Array(repeating: SessionEntry.Content.unreadable, count: unread - parts.count)
    switch message.type ?? data.string("role") ?? (data.has("tokens") ? "assistant" : "") {
    case "user":
      if message.type != nil { parts = [data] + data.objects("files") }
      contents += prompt(message.id, data, parts)
    case "assistant":
      if message.type != nil { parts = data.objects("content") }
      contents += answer(message.id, data, parts)
    case "compaction":
      let summary = data.string("summary") ?? data.string("text")
      contents.append(.compaction(SessionCompaction(summary: summary.map(limits.message))))
    case let type where Self.asidesOfV2.contains(type): break
    case let type:
      contents.append(
        .unknown(EntryKind.name("message", type.isEmpty ? "without role" : type)))
    }
    return contents.map { content in
      guard case .result(let result) = content else { return SessionEntry(key, content, at: time) }
      return SessionEntry(key, content, at: ended(result.call, parts) ?? time)
    }
  }

  private func ended(_ call: String, _ parts: [JSONObject]) -> Timestamp? {
    let part = parts.first { ($0.string("callID") ?? $0.string("id")) == call }
    return part?.object("state")?.object("time")?.instant("end")
  }

  private func prompt(
    _ id: String, _ data: JSONObject, _ parts: [JSONObject]
  ) -> [SessionEntry.Content] {
    let texts = parts.filter { !$0.isTrue("synthetic") && !$0.isTrue("ignored") }
      .compactMap { $0.string("text") }
    let files = limits.readsText ? parts.compactMap(file) : []
    let marks = parts.filter { $0.type == "compaction" }.map { part in
      SessionEntry.Content.compaction(
        SessionCompaction(trigger: part.isTrue("auto") ? "auto" : "manual"))
    }
    guard !texts.isEmpty || !files.isEmpty else { return marks }
    let text = limits.message(texts.joined(separator: "\n"))
    return marks + [.prompt(SessionPrompt(id: id, text: text, files: files))]
  }

  /// Returns the file in the given part, if the part contains it as a `data:` URL.
  private func file(_ part: JSONObject) -> SessionFile? {
    guard let url = part.string("url") ?? part.string("uri") else { return nil }
    return SessionFile(dataURL: url)
  }

  private func answer(
    _ id: String, _ data: JSONObject, _ parts: [JSONObject]
  ) -> [SessionEntry.Content] {
    let model = data.string("modelID") ?? data.object("model")?.string("id")
    var answer = SessionAnswer(id: id, model: model)
    answer.isWhole = true
    answer.stopReason = data.string("finish")
    var (texts, thoughts): ([String], [String]) = ([], [])
    var results: [SessionEntry.Content] = []
    for part in parts {
      switch part.type {
      case "text": texts.append(part.string("text") ?? "")
      case "reasoning": thoughts.append(part.string("text") ?? "")
      case "tool":
        let call = part.string("callID") ?? part.string("id") ?? ""
        let state = part.object("state")
        answer.toolCalls.append(
          SessionToolCall(
            id: call, name: part.string("tool") ?? part.string("name") ?? "tool",
            arguments: state?.arguments("input", limits)))
        if let result = state.flatMap({ result($0, call) }) { results.append(.result(result)) }
      case "compaction": results.append(.compaction(SessionCompaction()))
      case "retry":
        let failure = Failure(openCode: part.object("error") ?? part).cut(limits)
        results.append(.retry(SessionRetry(after: failure, number: part.count("attempt"))))
      case let type where Self.asides.contains(type): break
      case let type: results.append(.unknown(EntryKind.name("part", type)))
      }
    }
    answer.text = limits.message(texts.joined(separator: "\n\n"))
    answer.reasoning = limits.message(thoughts.joined(separator: "\n\n"))
    answer.failure =
      data.object("error").map { Failure(openCode: $0).cut(limits) }
      ?? Failure(endOfAnswer: answer.stopReason)
    var contents: [SessionEntry.Content] = [.answer(answer)]
    if let tokens = data.object("tokens") {
      var call = SessionCall(
        id: id, answer: id, model: model, usage: Usage(openCode: tokens),
        costUSD: data.cost("cost"))
      call.provider = data.string("providerID") ?? data.object("model")?.string("providerID")
      contents.append(.call(call))
    }
    return contents + results
  }

  private func result(_ state: JSONObject, _ call: String) -> SessionResult? {
    switch state.string("status") ?? "" {
    case "completed":
      let texts = state.string("output").map { [$0] } ?? state.texts("content")
      return SessionResult(
        call: call, text: limits.output(texts.joined(separator: "\n")), isError: false)
    case "error":
      let text = state.string("error") ?? state.object("error")?.string("message") ?? ""
      return SessionResult(call: call, text: limits.output(text), isError: true)
    default: return nil
    }
  }
}

extension SessionFile {
  /// Creates a file from the given `data:` URL (RFC 2397); nil if it is not one in base64.
  init?(dataURL url: String) {
    guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ","),
      url[..<comma].hasSuffix(";base64")
    else { return nil }
    self.init(
      contentType: String(url[..<comma].dropFirst(5).prefix { $0 != ";" }),
      data: String(url[url.index(after: comma)...]))
  }
}
