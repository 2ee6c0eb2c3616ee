import Core

/// The chats of an `llm` log during an import, by the ids of conversations and threads.
struct LLMChats {
  private struct Entry {
    var chat: Chat
    var messages: [Message] = []
    var hashes: Set<String> = []
    var texts: Set<[String]> = []
    var last = Int64.min
  }

  /// The names of conversations and threads.
  var names: [String: String] = [:]
  private var entries: [String: Entry] = [:]
  private var order: [String] = []

  /// `true` if there is no message.
  var isEmpty: Bool { entries.values.allSatisfy(\.messages.isEmpty) }

  /// Returns `true` if a chat already has the message with a hash.
  func holds(_ hash: String, in key: String) -> Bool {
    entries[key]?.hashes.contains(hash) ?? false
  }

  /// Returns `true` if a chat already has a message with the same role and text.
  func has(_ message: LLMMessage, in key: String) -> Bool {
    entries[key]?.texts.contains([message.role, message.text]) ?? false
  }

  /// Records that a chat has messages.
  mutating func record(_ messages: [LLMMessage], in key: String) {
    change(key) { $0.hashes.formUnion(messages.map(\.hash)) }
  }

  /// Sets a chat's instructions, unless it has some.
  mutating func instruct(_ key: String, _ system: String?) {
    guard let system, !system.isEmpty else { return }
    change(key) { $0.chat.system = $0.chat.system ?? system }
  }

  /// Appends a message to a chat.
  ///
  /// - Parameters:
  ///   - message: The message, with its id.
  ///   - key: The chat's id in `llm`.
  ///   - instant: The earliest time of the message, which always follows the one before it.
  mutating func add(_ message: Message, to key: String, at instant: Int64) {
    change(key) { entry in
      entry.last = max(instant, entry.last == .min ? .min : entry.last + 1)
      let said = Timestamp(milliseconds: entry.last)
      entry.chat.createdAt = entry.chat.createdAt ?? said
      entry.chat.lastUpdatedAt = said
      entry.texts.insert([message.role, message.text])
      entry.messages.append(
        message.with {
          $0.chatId = entry.chat.id
          $0.createdAt = said
        })
    }
  }

  /// Returns the chats with their messages.
  ///
  /// - Throws: `BadInput`.
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
