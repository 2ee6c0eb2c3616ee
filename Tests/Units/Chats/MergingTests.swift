import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Chats

struct MergingTests {
  private func exported(_ chats: ChatStore, _ parts: [String] = []) throws -> [String] {
    var lines: [String] = []
    try chats.export(parts) { (record) throws(Failure) in lines.append(try record.json()) }
    return lines
  }

  private func material(_ lines: [String]) throws -> ChatMaterial {
    var material = ChatMaterial()
    for line in lines { _ = try material.add(try RawRecord(line: Array(line.utf8))) }
    return material
  }

  private func filled() throws -> (home: Home, chats: ChatStore, chat: Chat) {
    let home = try Home()
    let chats = try home.chats()
    let chat = try chats.makeChat(
      in: try chats.project(forFolder: "/a/b").id, title: "T", system: "S")
    let file = AttachedFile(name: "é.bin", contentType: "image/png", content: [0, 255, 7])
    try chats.append(
      [
        Message(role: "user", text: "q").with { $0.attachments = [file] },
        Message(role: "assistant", text: "a").with {
          $0.model = "m"
          $0.groupId = "g"
          $0.complete = true
          $0.usage = Usage(inputTokens: 3)
          $0.toolCalls = [ToolCall(id: "1", name: "f", arguments: .object(["x": .int(1)]))]
        },
        Message(role: "assistant", text: "b").with {
          $0.groupId = "g"
          $0.complete = true
        },
        Message(role: "assistant", text: "cut").with { $0.complete = false },
      ], to: chat.id, contents: [file.sha256: [0, 255, 7]])
    return (home, chats, try chats.chat(chat.id))
  }

  @Test func `what was exported is the same elsewhere, and comes in once`() throws {
    let (_, chats, chat) = try filled()
    let b = try #require(try chats.turns(of: chat.id).first { $0.text == "b" }?.id)
    _ = try chats.choose(b)
    let lines = try exported(chats)
    #expect(lines.count == 6)
    #expect(lines.contains { $0.contains(#""data":"AP8H""#) })
    let elsewhere = try Home()
    let store = try elsewhere.chats()
    #expect(try store.merge(try material(lines)).map(\.id) == [chat.id])
    #expect(try exported(store) == lines)
    #expect(try store.merge(try material(lines)).isEmpty)
    #expect(try exported(store) == lines)
    #expect(try store.context(of: chat.id).map(\.text) == ["q", "b"])
    let sums = try store.usage(by: .model)
    #expect(sums.map(\.key) == ["m", ""])
    #expect(sums.map(\.calls) == [1, 2])
    #expect(sums.map(\.inputTokens) == [3, 0])
    #expect(sums.map(\.costUSD) == [nil, nil])
    #expect(try chats.merge(try material(lines)).isEmpty)
  }

  @Test func `of two versions the later one stays, and turns are joined`() throws {
    let (_, chats, chat) = try filled()
    let store = try Home().chats()
    _ = try store.merge(try material(try exported(chats)))
    try chats.append([Message(role: "user", text: "here")], to: chat.id)
    try store.append([Message(role: "user", text: "there")], to: chat.id)
    _ = try store.rename(try store.chat(chat.id), to: "Later")
    _ = try chats.merge(try material(try exported(store)))
    _ = try store.merge(try material(try exported(chats)))
    #expect(try exported(chats) == exported(store))
    #expect(try chats.chat(chat.id).title == "Later")
    #expect(Set(try chats.turns(of: chat.id).map(\.text)).isSuperset(of: ["here", "there"]))
    let older = try chats.chat(chat.id).with {
      $0.title = "Earlier"
      $0.lastUpdatedAt = Timestamp(milliseconds: 5)
    }
    #expect(try chats.merge(try material([try older.json()])).isEmpty)
    #expect(try chats.chat(chat.id).title == "Later")
  }

  @Test func `an answer that was cut gives way to the whole one, not the other way round`() throws {
    let store = try Home().chats()
    func line(_ text: String, _ complete: Bool) -> String {
      """
      {"chatId":"c","complete":\(complete),"createdAt":"2026-02-25T10:00:00.000Z","id":"m",\
      "role":"assistant","text":"\(text)","type":"message"}
      """
    }
    #expect(try store.merge(try material([line("ha", false)])).map(\.title) == ["ha"])
    #expect(try store.chat("c").lastUpdatedAt == Timestamp(iso8601: "2026-02-25T10:00:00.000Z"))
    #expect(try store.merge(try material([line("half", false)])).isEmpty)
    #expect(try store.merge(try material([line("half of", true)])).map(\.id) == ["c"])
    #expect(try store.merge(try material([line("ha", false)])).isEmpty)
    let later =
      #"{"id":"c","lastUpdatedAt":"2030-01-01T00:00:00.000Z","title":"New","type":"chat"}"#
    #expect(try store.merge(try material([later, line("ha", false)])).map(\.title) == ["New"])
    #expect(try store.turns(of: "c").map(\.text) == ["half of"])
  }

  @Test(arguments: [
    #"{"chatId":"c","role":"user","text":"t","type":"message"}"#,
    #"{"id":"m","role":"user","text":"t","type":"message"}"#,
    #"{"id":"m","chatId":"c","role":"user","type":"message"}"#,
    #"{"title":"t","type":"chat"}"#,
    #"{"attachments":[{"bytes":3,"contentType":"x","data":"AAAA","name":"n","sha256":"00"}],"chatId":"c","id":"m","role":"user","text":"t","type":"message"}"#,
    #"{"attachments":[{"bytes":3,"contentType":"x","data":"?","name":"n","sha256":"00"}],"chatId":"c","id":"m","role":"user","text":"t","type":"message"}"#,
  ])
  func `a record that is not as it has to be is refused`(line: String) {
    let failure = #expect(throws: Failure.self) { try material([line]) }
    #expect(failure?.code == .badInput)
  }

  @Test func `a message of another chat changes nothing`() throws {
    let (_, chats, chat) = try filled()
    let before = try exported(chats)
    let stolen = try chats.turns(of: chat.id)[0].with { $0.chatId = "other" }
    let new = Message(role: "user", text: "new").with {
      $0.id = "n"
      $0.chatId = chat.id
    }
    let failure = #expect(throws: Failure.self) {
      try chats.merge(try material([try new.json(), try stolen.json()]))
    }
    #expect(failure?.code == .badInput)
    #expect(try exported(chats) == before)
  }

  @Test func `files that no turn has any more go with the last one`() throws {
    let (home, chats, chat) = try filled()
    let first = try chats.turns(of: chat.id)[0]
    let file = try #require(first.attachments?.first)
    try chats.append([first.with { $0.id = nil }], to: chat.id)
    try chats.remove([first.id ?? ""])
    #expect(try chats.content(of: file, in: chat.id) == [0, 255, 7])
    let copy = try chats.turns(of: chat.id).first { $0.attachments != nil }
    try chats.remove([try #require(copy?.id)])
    #expect(throws: Failure.self) { try chats.content(of: file, in: chat.id) }
    let queue = try DatabaseQueue(path: home.directories.data + "/store.db")
    let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM attachment") }
    #expect(count == 0)
  }

  @Test func `a turn with its files fits into one line, or is refused`() throws {
    let chats = try Home().chats()
    let chat = try chats.makeChat(in: nil, title: "")
    let large = [UInt8](repeating: 1, count: 12_600_000)
    let file = AttachedFile(name: "large", contentType: "x", content: large)
    let message = Message(role: "user", text: "t").with { $0.attachments = [file] }
    let failure = #expect(throws: Failure.self) {
      try chats.append([message], to: chat.id, contents: [file.sha256: large])
    }
    #expect(failure?.code == .badInput && failure?.kind == .tooLarge)
    #expect(try chats.turns(of: chat.id).isEmpty)
  }

  @Test func `attachments are written under names that lead nowhere else`() throws {
    let home = try Home()
    let folder = try AttachmentFolder(home.path + "/out/")
    func write(_ name: String, _ content: String) throws -> (String, FileStatus) {
      let bytes = Array(content.utf8)
      let file = AttachedFile(name: name, contentType: "text/plain", content: bytes)
      let record = try folder.write(file, bytes)
      return ((record.path as NSString).lastPathComponent, record.status)
    }
    #expect(try write("a.txt", "1") == ("a.txt", .created))
    #expect(try write("a.txt", "1") == ("a.txt", .unchanged))
    #expect(try write("a.txt", "2") == ("a-2.txt", .created))
    #expect(try write("../../a.txt", "1") == ("a.txt", .unchanged))
    #expect(try write("..", "x").0.hasPrefix("file-"))
    #expect(try write("", "x").0.hasPrefix("file-"))
    #expect(try write(".ssh", "y").0 == "ssh")
    #expect(try write("a\u{1b}[2J", "z").0 == "a<U+001B>[2J")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/out/link", withDestinationPath: home.path + "/elsewhere")
    #expect(try write("link", "q").0 == "link-2")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/elsewhere"))
    #expect(try home.mode(home.path + "/out/a.txt") == 0o600)
  }
}
