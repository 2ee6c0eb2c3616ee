import Core
import Foundation
import GRDB
import Storage
import TestSupport
import Testing

@testable import Chats

struct PlanningTests {
  private func said(_ text: String) -> Message {
    Message(role: "user", text: text).with { $0.id = Identifier.make() }
  }

  @Test func `the newest planning comes back in its order, and is no chat to go on with`() throws {
    let chats = try Home().chats()
    #expect(try chats.lastPlanning() == nil)
    try chats.store([said("a"), said("b")], ofPlanning: "1") { _ in }
    try chats.store([said("c"), said("d")], ofPlanning: "2") { _ in }
    try chats.store([said("e")], ofPlanning: "2") { _ in }
    let last = try #require(try chats.lastPlanning())
    #expect(last.chatId == "2")
    #expect(last.messages.map(\.text) == ["c", "d", "e"])
    #expect(try chats.lastChat() == nil)
    #expect(try chats.chats().map(\.title) == ["c", "a"])
    let failure = #expect(throws: Failure.self) {
      try chats.store([said("f")], ofPlanning: "2") { _ in throw Failure(.badInput, "no") }
    }
    #expect(failure?.code == .badInput)
    #expect(try chats.lastPlanning()?.messages.count == 3)
  }

  @Test func `what was kept in the open is sealed, and stands nowhere any more`() throws {
    let home = try Home()
    let path = home.directories.data + "/store.db"
    var old: [Message] = []
    do {
      let store = try Store(home.directories)
      try store.file.write { database in
        for number in 0..<300 {
          old.append(said("quicksilver \(number) " + String(repeating: "plain ", count: 50)))
          try database.execute(
            sql: "INSERT INTO exchange (id, conversationId, record) VALUES (?, ?, ?)",
            arguments: [old[number].id, "conversation-\(number / 100)", try old[number].json()])
        }
        // A page that was freed before.
        try database.execute(sql: "DELETE FROM exchange WHERE id = ?", arguments: [old[7].id])
      }
    }
    #expect(try holds(home, "quicksilver"))
    let chats = try home.chats()
    #expect(try !holds(home, "quicksilver") && !holds(home, "plain plain"))
    #expect(try chats.chats().count == 3)
    #expect(try chats.turns(of: "conversation-0").map(\.text).count == 99)
    #expect(try chats.lastPlanning()?.messages.map(\.text) == old.suffix(100).map(\.text))
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM exchange") } == 0)
    #expect(try queue.read { try String.fetchOne($0, sql: "SELECT plain FROM chatKey") } == "gone")
  }

  /// Whether a word stands in any file of the home.
  private func holds(_ home: Home, _ word: String) throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: home.path)
    return names.contains { name in
      let data = FileManager.default.contents(atPath: home.path + "/" + name)
      return data?.range(of: Data(word.utf8)) != nil
    }
  }
}
