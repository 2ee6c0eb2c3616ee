import CodingAgents
import Core
import Foundation

/// One session as a chat: its facts, and its turns in the order of the transcript.
struct SessionConversation {
  /// The part that a turn plays.
  enum Kind: Hashable { case prompt, answer, results, compaction, failure }

  /// A turn, with the words from which its id is derived.
  struct Turn {
    var kind: Kind
    /// The words from which the turn's id is derived.
    var name: String
    var message: Message
    /// `false` after a rewind.
    var isShown = true
    /// The hash values of the pieces of text that the turn contains.
    var pieces: Set<Int> = []
  }

  let key: SessionKey
  var facts = SessionFacts()
  /// `true` if the transcript of the session itself was read, and not only copies of it.
  var isOwn = false
  private(set) var turns: [Turn] = []
  private var places: [String: Int] = [:]
  /// The place of the answer that contains a tool call, by the call's id.
  private var answers: [String: Int] = [:]
  private var last: Int64?

  init(_ key: SessionKey) { self.key = key }

  /// The id of the chat.
  var chatId: String { Self.chatId(key.agent, key.name) }

  /// Returns the id of the chat of the given session.
  static func chatId(_ agent: CodingAgent, _ name: String) -> String {
    DerivedId.make("\(agent.rawValue) session \(name)")
  }

  /// Returns the id of the turn with the given name.
  static func turnId(_ agent: CodingAgent, _ name: String) -> String {
    DerivedId.make("\(agent.rawValue) turn \(name)")
  }

  /// Returns the id of the given turn.
  func id(of turn: Turn) -> String { Self.turnId(key.agent, turn.name) }

  // MARK: Adding

  /// Changes the turn with the given name, and adds it if there is none.
  mutating func change(
    _ name: String, _ kind: Kind, role: String, at instant: Timestamp?,
    _ change: (inout Turn) -> Void
  ) {
    guard let place = places[name] else {
      // Turns are listed by time, and an id does not keep the order of two at the same time.
      let earliest = last.map { $0 + 1 }
      // A time in the future would be that of all later turns.
      let told = instant.flatMap { $0 <= Timestamp.now.adding(seconds: 86_400) ? $0 : nil }
      let time = max(told?.milliseconds ?? earliest ?? 0, earliest ?? .min)
      last = time
      let message = Message(role: role, text: "").with {
        $0.createdAt = Timestamp(milliseconds: time)
      }
      var turn = Turn(kind: kind, name: name, message: message)
      change(&turn)
      places[name] = turns.count
      return turns.append(turn)
    }
    change(&turns[place])
    turns[place].isShown = true
  }

  /// Records which answer contains the given tool calls.
  mutating func contain(_ calls: [SessionToolCall], _ name: String) {
    guard let place = places[name] else { return }
    for call in calls { answers[call.id] = place }
  }

  /// Returns the answer that contains the tool call with the given id.
  func answer(calling id: String) -> Turn? { answers[id].map { turns[$0] } }

  /// Returns `true` if there is a turn with the given name.
  func has(_ name: String) -> Bool { places[name] != nil }

  /// Adds a summary to the last turn if it is a compaction without one; returns `true` if it is.
  mutating func complete(_ summary: String) -> Bool {
    guard let place = turns.indices.last, turns[place].kind == .compaction,
      turns[place].message.text.isEmpty
    else { return false }
    turns[place].message.text = summary
    return true
  }

  /// Records that a person interrupted the answer at the end.
  mutating func interrupt() {
    guard let place = turns.lastIndex(where: { $0.kind == .answer || $0.kind == .prompt }),
      turns[place].kind == .answer
    else { return }
    turns[place].message.fail(Failure(.interrupted, "a person interrupted the answer"))
  }

  /// Hides the turns that a rewind leaves behind.
  mutating func rewind(_ rewind: SessionRewind) {
    let start: Int?
    switch rewind {
    case .before(let name): start = places[name]
    case .prompts(let count):
      let prompts = turns.indices.filter { turns[$0].kind == .prompt && turns[$0].isShown }
      start = count > 0 ? prompts.suffix(count).first : nil
    case .only(let names):
      for place in turns.indices {
        turns[place].isShown = names.contains(origin(of: turns[place]))
      }
      return
    }
    guard let start else { return }
    for place in turns.indices[start...] { turns[place].isShown = false }
  }

  /// Returns the name of the message that the given turn belongs to.
  private func origin(of turn: Turn) -> String {
    guard turn.kind == .results, let call = turn.message.toolResults?.first?.id else {
      return turn.name
    }
    return answer(calling: call)?.name ?? turn.name
  }
}

extension Message {
  /// Marks the answer as incomplete for the given reason.
  mutating func fail(_ failure: Failure) {
    guard complete != false else { return }
    (complete, error) = (false, failure)
  }
}
