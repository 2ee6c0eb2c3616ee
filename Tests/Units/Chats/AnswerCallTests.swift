import Asking
import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Chats

/// What answers cost, which is kept apart from them.
struct AnswerCallTests {
  private func call(_ answer: String?, in project: String? = nil) -> Call {
    let owner = Call.Owner(tool: "chat-send", answerId: answer, projectId: project)
    return Call(for: owner, model: "m", estimatedTokens: 100, estimatedCostUSD: 0.5)
  }

  private func ended(_ call: Call, _ tokens: Int, _ cost: Double?) -> Call {
    var call = call
    call.end(.complete, Usage(inputTokens: tokens, outputTokens: 2), cost)
    return call
  }

  @Test func `what answers cost stays when they go, and all requests for one are one call`() throws
  {
    let home = try Home()
    let chats = try home.chats()
    let project = try chats.project(forFolder: "/a")
    let chat = try chats.makeChat(in: project.id, title: "")
    let begun = Message(role: "assistant", text: "").with { $0.id = Identifier.make() }
    let first = call(begun.id, in: project.id)
    let kept = try chats.append([begun], to: chat.id, calls: [first])
    #expect(try chats.usage(by: .model).map(\.costUSD) == [nil])
    try chats.save([ended(first, 5, 0.25)])
    try chats.save(kept[0], ended(call(begun.id, in: project.id), 7, 0.5))
    try chats.save([ended(call("x"), 1, 1)])
    try chats.remove([chat.id])
    let sums = try home.chats().usage(by: .project)
    #expect(sums.map(\.key) == [project.id, ""])
    #expect(sums.map(\.name) == ["a", nil])
    #expect(sums.map(\.calls) == [1, 1])
    #expect(sums.map(\.inputTokens) == [12, 1])
    #expect(sums.map(\.costUSD) == [0.75, 1])
  }

  @Test func `an answer for which nothing was sent is no call`() throws {
    let chats = try Home().chats()
    try chats.save([call("x").unsent])
    #expect(try chats.usage(by: .model) == [])
    // Another model was then asked.
    try chats.save([ended(call("x"), 5, 0.25)])
    #expect(try chats.usage(by: .model).map(\.calls) == [1])
  }

  @Test func `an answer that was asked for here counts once though it comes back`() throws {
    let chats = try Home().chats()
    let chat = try chats.makeChat(in: nil, title: "")
    let answer = Message(role: "assistant", text: "a").with {
      $0.id = Identifier.make()
      $0.model = "m"
      $0.costUSD = 0.25
    }
    try chats.append([answer], to: chat.id, calls: [ended(call(answer.id), 5, 0.25)])
    var material = ChatMaterial()
    try chats.export([]) { (record) throws(Failure) in
      _ = try material.add(try RawRecord(line: Array(try record.json().utf8)))
    }
    try chats.remove([chat.id])
    #expect(try chats.merge(material).map(\.id) == [chat.id])
    #expect(try chats.usage(by: .day).map(\.calls) == [1])
  }

  @Test func `plans are left out beside the sums of the log`() throws {
    let chats = try Home().chats()
    var plan = call("a")
    plan.owner.tool = "ceo-plan"
    try chats.save([ended(plan, 5, 0.25), ended(call("b"), 3, 0.5)])
    #expect(try chats.usage(by: .tool).map(\.key) == ["ceo-plan", "chat-send"])
    #expect(try chats.usage(by: .tool, beside: ([], [:])).map(\.key) == ["chat-send"])
  }

  @Test func `what an older version kept sealed becomes calls, and what cannot be read is unknown`()
    throws
  {
    let home = try Home()
    let chats = try home.chats()
    let old =
      #"{"createdAt":"2026-02-25T10:00:00.000Z","tool":"chat-send","model":"m","costUSD":0.5}"#
    try chats.write { tables in
      for (id, plain) in [("one", old), ("two", old)] {
        let sealed = try tables.key.seal(Array(plain.utf8), for: SealedRow("chatSpending", id))
        try tables.database.execute(
          sql: "INSERT INTO chatSpending VALUES (?, 'p', 1772013600000, ?)",
          arguments: [id, id == "two" ? Data([1]) : sealed])
      }
    }
    for _ in 0..<2 {
      let sums = try home.chats().usage(by: .model)
      #expect(sums.map(\.key) == ["", "m"])
      #expect(sums.map(\.costUSD) == [nil, 0.5])
    }
    #expect(try home.chats().usage(by: .project).map(\.key) == ["p"])
    #expect(try home.chats().usage(by: .day).map(\.key) == ["2026-02-25"])
  }
}
