import CodingAgents
import Core

/// The chats of sessions, ready to be stored.
struct SessionMaterial {
  /// A session as a chat.
  struct Entry {
    /// The chat, without its project.
    var chat: Chat
    /// The working folder; nil if unknown.
    var folder: String?
    /// `true` if the transcript of the session itself was read, and not only copies of it.
    var isOwn: Bool
    /// `true` if only prompts of the session are known.
    var isPromptsOnly: Bool
    /// The turns, in order.
    var turns: [Message]
    /// The answers that a rewind left behind; their tokens count.
    var hidden: [Message]
  }

  /// The chats.
  var chats: [Entry] = []
}

extension SessionConversation {
  /// The labels of imported chats.
  ///
  /// `session` is the name of the session among those of its agent. `only` is `prompts` if the
  /// answers of the session are gone; the prompts of such a chat have the label too. `queue` is
  /// `waiting` for a prompt that the agent had not taken, and for its chat.
  enum Label {
    static let agent = "agent", session = "session", parent = "parent", call = "parentCall"
    static let role = "role", fork = "forkedFrom", version = "version", titled = "titledBy"
    static let only = "only", price = "price", queue = "queue"
  }

  /// The chat; nil if it has no turn.
  var chat: SessionMaterial.Entry? {
    var (shown, hidden): ([Message], [Message]) = ([], [])
    let isPromptsOnly = facts.isPromptsOnly == true
    for turn in turns {
      var message = turn.message
      message.id = id(of: turn)
      message.chatId = chatId
      if isPromptsOnly { message.labels = [Label.only: "prompts"] }
      if turn.isShown { shown.append(message) } else { hidden.append(message) }
    }
    guard shown.contains(where: { $0.role != "system" }) || !hidden.isEmpty else { return nil }
    // A choice of a model alone is no conversation.
    guard !isPromptsOnly || !shown.allSatisfy({ SessionPrompt.isCommand($0.text) }) else {
      return nil
    }
    var chat = Chat(id: chatId)
    chat.title = title(shown)
    chat.createdAt = (shown + hidden).compactMap(\.createdAt).min()
    chat.lastUpdatedAt = (shown + hidden).compactMap(\.createdAt).max()
    chat.labels = labels
    chat.labels?[Label.queue] = shown.lazy.compactMap { $0.labels?[Label.queue] }.first
    return SessionMaterial.Entry(
      chat: chat, folder: facts.folder, isOwn: isOwn, isPromptsOnly: isPromptsOnly, turns: shown,
      hidden: hidden)
  }

  private func title(_ turns: [Message]) -> String {
    let prompts = turns.filter { $0.role == "user" }.map(\.text)
    let text =
      facts.title ?? prompts.first { !SessionPrompt.isCommand($0) } ?? prompts.first
      ?? turns.first { !$0.text.isEmpty }?.text ?? key.name
    guard let role = facts.role, facts.title == nil else { return Chat.title(from: text) }
    return Chat.title(from: text.isEmpty ? role : "\(role): \(text)")
  }

  private var labels: [String: String] {
    var labels = [Label.agent: key.agent.rawValue, Label.session: key.name]
    labels[Label.parent] = facts.parent.map { Self.chatId(key.agent, $0) }
    labels[Label.call] = facts.parentCall
    labels[Label.role] = facts.role
    labels[Label.fork] = facts.forkedFrom.map { Self.chatId(key.agent, $0) }
    labels[Label.version] = facts.version
    if facts.isPromptsOnly == true { labels[Label.only] = "prompts" }
    return labels
  }
}
