import Core
import Foundation
import GRDB
import Keys
import TestSupport
import Testing

@testable import Chats

extension Home {
  func chats() throws -> ChatStore { try ChatStore(directories, keys: keyStore) }

  var keyStore: KeyStore { KeyStore(directories: directories, environment: [:], command: nil) }
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

  @Test func `an answer takes the place of its beginning, and one that nobody ended says so`() throws {
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
}
