public import Core

/// A chat with its messages, which are the turns of the conversation.
public struct Conversation: Sendable {
  /// The chat.
  public let chat: Chat
  /// The name of the project whose folder the chat is exported to.
  public let project: String?
  /// The turns, from oldest to newest.
  public let messages: [Message]

  /// Creates a conversation.
  ///
  /// If every turn has a time, the turns are sorted by time. Otherwise, they stay in the given
  /// order.
  public init(_ chat: Chat, project: String? = nil, messages: [Message]) {
    self.chat = chat
    self.project = project ?? messages.lazy.compactMap(\.project).first
    let instants = messages.compactMap(\.createdAt)
    guard instants.count == messages.count else {
      self.messages = messages
      return
    }
    // The index decides between equal times, because sorting does not preserve their order.
    let places = messages.indices.sorted { (instants[$0], $0) < (instants[$1], $1) }
    self.messages = places.map { messages[$0] }
  }
}

extension RecordFile {
  /// Creates the file of the given conversation.
  ///
  /// Each turn is a quotation below its own heading. A fence or a heading in its text therefore
  /// ends with the turn. A list below the quotation contains the attached files, the requested tool
  /// calls, and the error if the turn is incomplete.
  init(_ conversation: Conversation, fields: NoteFields) {
    let chat = conversation.chat
    let messages = conversation.messages
    let models = messages.compactMap(\.model)
    let costs = messages.filter { $0.role == "assistant" }.map {
      Usage.plausible(costUSD: $0.costUSD)
    }
    self.init(
      type: Chat.type, id: ("id", chat.id), layout: .chat,
      instant: chat.createdAt ?? messages.first?.createdAt,
      values: [
        .project: conversation.project, .role: Chat.type, .title: chat.title, .id: chat.id,
        .chat: chat.id, .model: models.first,
      ], body: Self.body(messages, title: chat.title), fields: fields
    ) { matter in
      matter.add("title", chat.title)
      matter.add("project", conversation.project)
      matter.add("projectId", chat.projectId)
      matter.add("system", chat.system)
      matter.add("models", Self.distinct(models))
      matter.add("messages", messages.count)
      // A cursor means that the chat has more messages than the stream contained.
      matter.add("nextCursor", chat.nextCursor)
      // If any cost is unknown, the sum is unknown.
      let known = costs.compactMap { $0 }
      let isKnown = !known.isEmpty && known.count == costs.count
      matter.add("costUSD", isKnown ? .number(known.reduce(0, +)) : nil)
      matter.add("createdAt", chat.createdAt)
      matter.add("lastUpdatedAt", chat.lastUpdatedAt)
      matter.add("labels", chat.labels)
    }
  }

  private static func distinct(_ models: [String]) -> FrontMatter.Value? {
    var seen: Set<[UInt8]> = []
    let distinct = models.filter { seen.insert(Array($0.utf8)).inserted }
    return distinct.isEmpty ? nil : .list(distinct)
  }

  private static func body(_ messages: [Message], title: String?) -> String {
    let heading = title.map { "# " + plain($0) + "\n" }
    let turns = messages.map { message in
      let details = [
        message.role, message.model, message.createdAt?.iso8601,
        message.chosen == true ? "chosen" : nil, message.complete == false ? "not complete" : nil,
      ]
      let outputs = (message.toolResults ?? []).map(\.text).filter { !$0.isEmpty }
      let parts = ([message.text] + outputs).map(quoted) + [notes(message)]
      return "## " + details.compactMap { $0.map(plain) }.joined(separator: ", ") + "\n\n"
        + parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
    return ((heading.map { [$0] } ?? []) + turns).joined(separator: "\n")
  }

  /// Returns a list of the facts about the given turn, without its text.
  private static func notes(_ message: Message) -> String {
    let files = (message.attachments ?? []).map { file in
      let size = file.bytes == 1 ? "1 byte" : "\(file.bytes) bytes"
      return "attached: \(plain(file.name)), \(plain(file.contentType)), \(size)"
    }
    let calls = (message.toolCalls ?? []).map { "tool call: \(plain($0.name))" }
    let results = (message.toolResults ?? []).map { result in
      let facts = [
        result.isError ? "failed" : nil, result.consent.map { "allowed by \($0)" },
        result.durationMs.map { "\(Int($0.rounded())) ms" }, result.logId.map { "log \($0)" },
        result.error?.explanation,
      ].compactMap { $0.map(plain) }
      return "tool result: " + ([plain(result.name)] + facts).joined(separator: ", ")
    }
    let error = message.error.map { "error: \(plain($0.explanation))" }
    return (files + calls + results + (error.map { [$0] } ?? [])).map { "- \($0)\n" }.joined()
  }

  private static func plain(_ text: String) -> String { PlainText.markdown(Visible.line(text)) }

  /// Returns the given text as a quotation.
  ///
  /// Empty lines at its end are removed.
  private static func quoted(_ text: String) -> String {
    // In Swift, CR LF is one character. In Markdown, each of the three is a line end.
    let ends: Set<Character> = ["\n", "\r", "\r\n"]
    var lines = text.split(omittingEmptySubsequences: false) { ends.contains($0) }
    while let last = lines.last, last.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      lines.removeLast()
    }
    return lines.map { $0.isEmpty ? ">\n" : "> \($0)\n" }.joined()
  }
}
