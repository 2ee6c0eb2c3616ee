import Core

/// The chats that are read from an `llm` log.
///
/// The key of a chat is the id of its conversation or thread in `llm`.
struct LLMChats {
  private struct Entry {
    var chat: Chat
    var messages: [Message] = []
    var hashes: Set<String> = []
    var texts: Set<[String]> = []
    var last = Int64.min
  }

  /// The titles of the conversations and threads by id.
  var names: [String: String] = [:]
  private var entries: [String: Entry] = [:]
  private var order: [String] = []

  /// `true` if no chat has a message.
  var isEmpty: Bool { entries.values.allSatisfy(\.messages.isEmpty) }

  /// Returns `true` if the chat at `key` already has the message with the given hash.
  func holds(_ hash: String, in key: String) -> Bool {
    entries[key]?.hashes.contains(hash) ?? false
  }

  /// Returns `true` if the chat at `key` already has a message with the same role and texts.
  func has(_ message: LLMMessage, in key: String) -> Bool {
    entries[key]?.texts.contains(message.record("").words) ?? false
  }

  /// Records that the chat at `key` has the given messages.
  mutating func record(_ messages: [LLMMessage], in key: String) {
    change(key) { $0.hashes.formUnion(messages.map(\.hash)) }
  }

  /// Sets the instructions of the chat at `key`, unless it already has some.
  mutating func instruct(_ key: String, _ system: String?) {
    guard let system, !system.isEmpty else { return }
    change(key) { $0.chat.system = $0.chat.system ?? system }
  }

  /// Appends the given message to a chat.
  ///
  /// - Parameters:
  ///   - message: The message, with its id.
  ///   - key: The chat's id in `llm`.
  ///   - instant: The time of the message. It is raised if the previous message is not earlier.
  mutating func add(_ message: Message, to key: String, at instant: Int64) {
    change(key) { entry in
      entry.last = max(instant, entry.last == .min ? .min : entry.last + 1)
      let said = Timestamp(milliseconds: entry.last)
      entry.chat.createdAt = entry.chat.createdAt ?? said
      entry.chat.lastUpdatedAt = said
      entry.texts.insert(message.words)
      entry.messages.append(
        message.with {
          $0.chatId = entry.chat.id
          $0.createdAt = said
        })
    }
  }

  /// Returns the chats with their messages.
  ///
  /// - Throws: `BadInput` if a chat is malformed.
  func material() throws(Failure) -> ChatMaterial {
    var material = ChatMaterial()
    for key in order {
      guard let entry = entries[key], let first = entry.messages.first else { continue }
      material.add(entry.chat.with { $0.title = Chat.title(from: names[key] ?? first.text) })
      for message in entry.messages { try material.add(message) }
    }
    return material
  }

  private mutating func change(_ key: String, _ change: (inout Entry) -> Void) {
    if entries[key] == nil { order.append(key) }
    change(&entries[key, default: Entry(chat: Chat(id: LLMLog.id(key, "conversation")))])
  }
}

extension Message {
  /// The role, the text and the texts of results.
  fileprivate var words: [String] { [role, text] + (toolResults ?? []).map(\.text) }
}
