import Core
import Foundation
import GRDB
import Keys
import TestSupport
import Testing

@testable import Chats

struct ChatKeyTests {
  private let key = ChatKey()

  @Test func `what is sealed comes back, and is never the same twice`() throws {
    let row = SealedRow("turn", "1", of: "2")
    let sealed = try key.seal(Array("secret".utf8), for: row)
    #expect(try key.open(sealed, of: row) == Data("secret".utf8))
    #expect(try key.seal(Array("secret".utf8), for: row) != sealed)
    #expect(ChatKey(text: key.text + "\n")?.id == key.id)
    #expect(ChatKey(text: "c2hvcnQ=") == nil && ChatKey(text: "?") == nil)
  }

  @Test func `a row cannot be put in another's place, nor changed`() throws {
    let row = SealedRow("turn", "1", of: "2")
    let sealed = try key.seal(Array("secret".utf8), for: row)
    let others = [
      SealedRow("chat", "1", of: "2"), SealedRow("turn", "2", of: "2"), SealedRow("turn", "1"),
      SealedRow("turn", "1|2"), SealedRow("turn", "1", of: "|2"),
    ]
    for other in others {
      let failure = #expect(throws: Failure.self) { try key.open(sealed, of: other) }
      #expect(failure?.code == .storageFailed && failure?.kind == .corrupt)
    }
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(throws: Failure.self) { try key.open(changed, of: row) }
    }
    #expect(throws: Failure.self) { try key.open(sealed.dropLast(), of: row) }
    #expect(throws: Failure.self) { try key.open(Data(), of: row) }
    #expect(throws: Failure.self) { try ChatKey().open(sealed, of: row) }
  }

  @Test func `the key lies in a file of its owner alone, which the store names`() throws {
    let home = try Home()
    let chat = try home.chats().makeChat(in: nil, title: "T")
    let path = home.directories.config + "/chat.key"
    #expect(try home.mode(path) == 0o600)
    #expect(try home.chats().chat(chat.id).title == "T")
    try home.setMode(path, 0o640)
    let failure = #expect(throws: Failure.self) { try home.chats() }
    #expect(failure?.code == .permissionDenied && failure?.kind == .unsafeMode)
  }

  @Test func `a key that is missing is told, and no other is made`() throws {
    let home = try Home()
    _ = try home.chats().makeChat(in: nil, title: "T")
    let path = home.directories.config + "/chat.key"
    let text = try #require(FileManager.default.contents(atPath: path))
    try FileManager.default.removeItem(atPath: path)
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) { try home.chats() }
      #expect(failure?.code == .permissionDenied && failure?.kind == .missingKey)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try home.file("config/chat.key", ChatKey().text)
    let failure = #expect(throws: Failure.self) { try home.chats() }
    #expect(failure?.code == .permissionDenied && failure?.kind == .wrongKey)
    // Where key-store holds it, the file is not needed.
    try FileManager.default.removeItem(atPath: path)
    _ = try home.keyStore.set("chat", to: String(decoding: text.dropLast(), as: UTF8.self))
    #expect(try home.chats().chats().map(\.title) == ["T"])
  }

  @Test func `a secret that is there first is the key, and one that is no key is refused`() throws {
    let home = try Home()
    _ = try home.keyStore.set("chat", to: "a passphrase")
    let failure = #expect(throws: Failure.self) { try home.chats() }
    #expect(failure?.code == .permissionDenied && failure?.kind == .wrongKey)
    _ = try home.keyStore.set("chat", to: key.text)
    _ = try home.chats().makeChat(in: nil, title: "T")
    #expect(!FileManager.default.fileExists(atPath: home.directories.config + "/chat.key"))
    try home.keyStore.delete("chat")
    let missing = #expect(throws: Failure.self) { try home.chats() }
    #expect(missing?.kind == .missingKey)
  }

  @Test(arguments: [false, true])
  func `everything is sealed anew, and the old key goes`(isSecret: Bool) throws {
    let home = try Home()
    if isSecret { _ = try home.keyStore.set("chat", to: key.text) }
    let chats = try home.chats()
    let other = try home.chats()
    let chat = try chats.makeChat(in: try chats.project(forFolder: "/a").id, title: "T")
    let file = AttachedFile(name: "a.txt", contentType: "text/plain", content: [1, 2, 3])
    let turns = (0..<1001).map { Message(role: "user", text: "needle\($0)") }
    try chats.append(turns, to: chat.id)
    let last = Message(role: "assistant", text: "the end").with { $0.attachments = [file] }
    try chats.append([last], to: chat.id, contents: [file.sha256: [1, 2, 3]])
    let before = try chats.turns(of: chat.id)
    // Left by a process that was killed.
    _ = try home.file("config/chat-01234567.key", ChatKey().text)
    let told = try chats.rekey()
    #expect(told.fingerprint != nil && told.fingerprint != key.id)
    #expect(!FileManager.default.fileExists(atPath: home.directories.config + "/chat.key"))
    let names = try FileManager.default.contentsOfDirectory(atPath: home.directories.config)
    #expect(names.filter { $0.hasSuffix(".key") && $0 != "seal.key" }.count == (isSecret ? 0 : 1))
    // Those that were at work meanwhile take the new key, for writing too.
    for store in [chats, other, try home.chats()] {
      #expect(try store.turns(of: chat.id) == before)
      #expect(try store.content(of: file, in: chat.id) == [1, 2, 3])
      #expect(try store.search("needle7", limit: 9).count == 9)
      #expect(try store.projects().map(\.name) == ["a"])
    }
    try other.append([Message(role: "user", text: "later")], to: chat.id)
    #expect(try home.chats().search("later", limit: 2).count == 1)
    #expect(try home.keyStore.find("chat") == nil)
  }
}
