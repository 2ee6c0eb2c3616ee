import Asking
public import Core

/// Turns with the results of tools.
extension ChatStore {
  /// Returns `true` if the given chat can be continued without a prompt: results of tools, calls or
  /// a prompt that exceeded a budget wait for an answer.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func isUnfinished(_ chatId: String) throws(Failure) -> Bool {
    Self.isUnfinished(try turns(of: chatId))
  }

  /// Returns `true` if an answer is missing at the end of the given turns.
  static func isUnfinished(_ turns: [Message]) -> Bool {
    guard let last = context(among: turns).last else { return false }
    if last.role == "user" { return turns.last?.error?.code == .budgetExceeded }
    return last.toolResults != nil || last.toolCalls != nil
  }

  /// Ends the calls whose process ended before them.
  ///
  /// - Parameter turns: The turns of a chat.
  /// - Returns: The changed turns, and the ids of their calls that had not ended.
  static func settle(_ turns: inout [Message]) -> [SettledTurn] {
    turns.indices.compactMap { place in
      guard let results = turns[place].toolResults, turns[place].complete == false else {
        return nil
      }
      turns[place].toolResults = results.map { $0.settled() }
      (turns[place].complete, turns[place].error) = (true, nil)
      return SettledTurn(
        turn: turns[place],
        calls: zip(results, turns[place].toolResults ?? []).compactMap {
          $0.hasEnded ? nil : $1
        })
    }
  }

  /// Stores the given turn of tools.
  ///
  /// - Parameters:
  ///   - turn: The turn.
  ///   - place: The call that is about to be sent; nil if none is.
  /// - Throws: `Conflict` if another process ended that call; as ``append(_:to:contents:calls:)``.
  func save(round turn: Message, beginning place: Int?) throws(Failure) {
    guard let id = turn.id, let chatId = turn.chatId else { return }
    try write { tables in
      if let place, try tables.turn(id)?.toolResults?[place].hasEnded != false {
        throw Failure(.conflict, "another process continued the chat", input: chatId)
      }
      try tables.store(turn)
      try tables.touch(chat: chatId, at: .now)
    }
  }
}

/// A turn whose calls were ended after the process that made them.
struct SettledTurn: Sendable {
  /// The turn.
  let turn: Message
  /// The results of the calls that had not ended.
  let calls: [ToolResult]
}
