import Core
import Foundation
import GRDB
import Keys
import Storage
import TestSupport
import Testing

@testable import Chats

extension Home {
  func chats() throws -> ChatStore { try ChatStore(directories, keys: keyStore) }

  var keyStore: KeyStore { KeyStore(directories: directories, environment: [:], command: nil) }
}

extension ChatStore {
  /// Stores an empty chat.
  func makeChat(in projectId: String?, title: String, system: String? = nil) throws -> Chat {
    let chat = Self.newChat(in: projectId, title: title, system: system)
    try save(chat)
    return chat
  }
}

struct ChatStoreTests {
  private func said(_ text: String, by role: String = "user") -> Message {
    Message(role: role, text: text)
  }

  @Test func `what was said comes back in its order`() throws {
    let home = try Home()
    let chats = try home.chats()
    let project = try chats.project(forFolder: "/somewhere/work/")
    #expect(project.name == "work" && project.localPath == "/somewhere/work")
    let chat = try chats.makeChat(in: project.id, title: "A title", system: "Be brief.")
    let kept = try chats.append([said("one"), said("two", by: "assistant")], to: chat.id)
    try chats.append([said("three")], to: chat.id)
    let again = try home.chats()
    #expect(try again.project(forFolder: "/somewhere/work").id == project.id)
    #expect(try again.turns(of: chat.id).map(\.text) == ["one", "two", "three"])
    #expect(try again.turns(of: chat.id, after: 1, atMost: 1) == [kept[1]])
    #expect(try again.chat(String(chat.id.suffix(8))).system == "Be brief.")
    #expect(try again.lastChat(in: project.id)?.id == chat.id)
    #expect(try again.lastChat()?.title == "A title")
  }

  @Test func `a chat begins with its first turns, or not at all`() throws {
    let chats = try Home().chats()
    let chat = ChatStore.newChat(in: nil, title: "T", system: "Be brief.")
    let file = AttachedFile(name: "a", contentType: "text/plain", content: [1])
    let wrong = said("one").with { $0.attachments = [file] }
    let failure = #expect(throws: Failure.self) {
      try chats.begin(chat, with: [wrong], contents: [file.sha256: [2]])
    }
    #expect(failure?.code == .badInput)
    #expect(try chats.chats().isEmpty)
    try #require(try chats.begin(chat, with: [wrong], contents: [file.sha256: [1]]).count == 1)
    #expect(try chats.lastChat()?.system == "Be brief.")
    #expect(try chats.turns(of: chat.id).map(\.text) == ["one"])
  }

  @Test func `an answer takes the place of its beginning, and one nobody ended says so`() throws {
    let home = try Home()
    let chats = try home.chats()
    let chat = try chats.makeChat(in: nil, title: "")
    let begun = said("", by: "assistant").with { $0.complete = false }
    let kept = try chats.append([begun], to: chat.id)[0]
    let read = try chats.turns(of: chat.id)
    #expect(read.map(\.complete) == [false])
    #expect(read.map(\.error?.code) == [.interrupted])
    try chats.save(
      kept.with {
        $0.text = "whole"
        $0.complete = true
      })
    #expect(try chats.turns(of: chat.id).map(\.text) == ["whole"])
    #expect(try chats.turns(of: chat.id).map(\.error) == [nil])
  }

  @Test func `a chat goes on with the chosen answer of each group, else with the first`() throws {
    let chats = try Home().chats()
    let chat = try chats.makeChat(in: nil, title: "")
    func answer(_ text: String, _ group: String?, complete: Bool = true) -> Message {
      said(text, by: "assistant").with {
        $0.groupId = group
        $0.complete = complete
      }
    }
    let kept = try chats.append(
      [
        said("one"), answer("cut", "g", complete: false), answer("a", "g"), answer("b", "g"),
        said("two"), answer("c", "h"), answer("d", "h"), said("three"), answer("e", nil),
      ], to: chat.id)
    func context() throws -> [String] { try chats.context(of: chat.id).map(\.text) }
    #expect(try context() == ["one", "a", "two", "c", "three", "e"])
    let ids = kept.compactMap(\.id)
    #expect(try chats.choose(ids[3]).chosen == true)
    #expect(try context() == ["one", "b", "two", "c", "three", "e"])
    _ = try chats.choose(ids[6])
    _ = try chats.choose(ids[2])
    #expect(try context() == ["one", "a", "two", "d", "three", "e"])
    #expect(try chats.turns(of: chat.id).filter { $0.chosen == true }.map(\.text) == ["a", "d"])
    for id in [ids[0], ids[1], ids[8]] {
      let failure = #expect(throws: Failure.self) { try chats.choose(id) }
      #expect(failure?.code == .badUsage)
    }
  }

  @Test func `many connections that begin at once on a fresh store keep all turns`() async throws {
    let home = try Home()
    let directories = home.directories
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let keys = KeyStore(directories: directories, environment: [:], command: nil)
          let chats = try ChatStore(directories, keys: keys)
          let project = try chats.project(forFolder: "/one")
          let chat = try chats.makeChat(in: project.id, title: "\(number)")
          for turn in 0..<70 {
            try chats.append([Message(role: "user", text: "t\(number)x\(turn)")], to: chat.id)
          }
        }
      }
      try await group.waitForAll()
    }
    let chats = try home.chats()
    #expect(try chats.projects().count == 1)
    let all = try chats.chats()
    #expect(all.count == 16)
    for chat in all {
      let texts = (0..<70).map { "t\(chat.title ?? "")x\($0)" }
      #expect(try chats.turns(of: chat.id).map(\.text) == texts)
    }
    #expect(try chats.search("t3x", limit: 100).count == 70)
  }

  @Test func `a chat that is gone takes no turns, and nothing is made where there is none`() throws
  {
    let home = try Home()
    #expect(try ChatStore.existing(in: home.directories, keys: home.keyStore) == nil)
    _ = try Store(home.directories)
    #expect(try ChatStore.existing(in: home.directories, keys: home.keyStore) == nil)
    #expect(!FileManager.default.fileExists(atPath: home.directories.config + "/chat.key"))
    let failure = #expect(throws: Failure.self) {
      try home.chats().append([said("x")], to: "unknown")
    }
    #expect(failure?.code == .notFound)
    #expect(try ChatStore.existing(in: home.directories, keys: home.keyStore) != nil)
  }
}
