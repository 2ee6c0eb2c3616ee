import Core
import GRDB
import TestSupport
import Testing

@testable import Chats

struct MissingRowTests {
  /// A store of more turns than a segment has, changed behind its back.
  private func found(_ sql: String) throws -> (count: Int, missing: [FailureKind?]) {
    let home = try Home()
    let chats = try home.chats()
    let chat = try chats.makeChat(in: nil, title: "T")
    let turns = (0..<SealedTables.segmentSize + 2).map { Message(role: "user", text: "hay\($0)") }
    try chats.append(turns, to: chat.id)
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(
      path: home.directories.data + "/store.db", configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    var missing: [FailureKind?] = []
    let count = try chats.search("hay", limit: 2000) { missing.append($0.kind) }.count
    return (count, missing)
  }

  @Test func `what is searched is whole`() throws {
    #expect(try found("SELECT 1") == (1002, []))
  }

  @Test func `turns of a segment that is missing are found one by one`() throws {
    #expect(try found("DELETE FROM segment") == (1002, [.corrupt]))
  }

  @Test func `a turn that the index holds, and whose row is missing, is reported`() throws {
    #expect(try found("DELETE FROM turn WHERE sequence = 3") == (1001, [.corrupt]))
  }
}
