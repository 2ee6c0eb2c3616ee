import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Chats

struct SearchTests {
  private func words(_ text: String) -> String {
    String(decoding: FoldedText.words(text), as: UTF8.self)
  }

  @Test(arguments: [
    ("The WAL, at last!", " the wal at last "), ("", " "), ("  \n", " "), ("a", " a "),
    ("Élan ÅNGSTRÖM straße", " elan angstrom strasse "), ("cafe\u{301} naïve", " cafe naive "),
    ("Łódź Øre ΣΊΣΥΦΟΣ", " lodz ore σισυφοσ "),
    ("snake_case/path.swift", " snake case path swift "),
    ("检查点 x", " 检 查 点 x "), ("ok 👍 fine", " ok 👍 fine "), ("ﬁne ²", " fine 2 "),
    ("don't", " don t "), ("soft\u{AD}hyphen", " softhyphen "), ("Ёлка", " елка "),
  ])
  func `a text is its words, without capitals and diacritics`(text: String, folded: String) {
    #expect(words(text) == folded)
    #expect(words(folded) == folded)
  }

  @Test(arguments: [
    ("wal", true), ("WA check", true), ("al", false), ("\"write-ahead log\"", true),
    ("\"write ahead lo\"", false), ("write-ahead", true), ("ahead-write", false), ("é", true),
    ("wal nothing", false), ("\"wal", true), ("log.", true), ("\u{201C}ahead log\u{201D}", true),
  ])
  func `words are beginnings, phrases are whole`(text: String, stands: Bool) throws {
    let terms = try SearchTerms(text)
    let said = "The WAL (write-ahead log) is checkpointed: élan."
    #expect(terms.match(said) == stands)
    var segment = SegmentText()
    segment.add(1, createdAt: 1, FoldedText.words("wall"))
    segment.add(2, createdAt: 2, FoldedText.words(said))
    segment.add(3, createdAt: 3, FoldedText.words("nothing"))
    #expect(segment.matches(terms).contains { $0.sequence == 2 } == stands)
    if stands { #expect(segment.filter.mayHold(terms.beginnings)) }
  }

  @Test(arguments: [
    ("wal", "Not in the first words: the WAL is near the beginning of this text all the same."),
    ("CAFÉ", "… a few more words Cafe\u{301}s follow,\nand then some."),
    ("\"ahead log\"", "… words, and a write-ahead log of them."), ("zzz", "as it is"),
    ("wal x", "… long enough for a WAL and an x at its end."),
  ])
  func `what was found is told from shortly before it on`(search: String, excerpt: String) throws {
    let start =
      excerpt.hasPrefix("… ") ? "Here are many words that nobody looked for, notwithstanding " : ""
    let text = start + (start.isEmpty ? excerpt : String(excerpt.dropFirst(2)))
    #expect(try ChatStore.excerpt(of: text, where: search) == excerpt)
  }

  @Test func `commands, arguments and results of tools are found, also in full segments`() throws {
    let home = try Home()
    let chats = try home.chats()
    var material = ChatMaterial()
    material.add(Chat(id: "c"))
    func add(_ id: String, _ message: Message) throws {
      try material.add(message.with { ($0.id, $0.chatId) = (id, "c") })
    }
    try add(
      "call",
      Message(role: "assistant", text: "").with {
        $0.toolCalls = [
          ToolCall(
            id: "t", name: "Bash",
            arguments: .object([
              "command": .string("grep -rn overflow"), "lines": .array([.int(80), .null]),
            ]))
        ]
      })
    try add(
      "result",
      Message(role: "tool", text: "").with {
        $0.toolResults = [
          ToolResult(
            id: "t", name: "Bash",
            content: [.object(["type": .string("text"), "text": .string("a lost needle")])])
        ]
      })
    // More text than one segment takes.
    let long = String(repeating: "hay ", count: 40_000)
    for number in 0..<40 { try add("long\(number)", Message(role: "user", text: long)) }
    func found(_ text: String) throws -> [String?] { try chats.search(text, limit: 5).map(\.id) }
    func check() throws {
      for (text, id) in [
        ("bash overflow 80", "call"), ("\"grep rn overflow\"", "call"),
        ("\"lost needle\"", "result"),
      ] { #expect(try found(text) == [id]) }
      #expect(try found("overflow needle") == [])
    }
    _ = try chats.merge(material)
    try check()
    for number in 0..<SealedTables.segmentSize {
      try add("short\(number)", Message(role: "user", text: "straw"))
    }
    _ = try chats.merge(material)
    try check()
    let call = try #require(try chats.search("overflow", limit: 1).first)
    #expect(try ChatStore.excerpt(of: call, where: "overflow").contains("grep -rn overflow"))
  }

  @Test func `a scope selects by time, role and beginning of the model's name`() {
    let turn = Message(role: "assistant", text: "x").with { $0.model = "claude-sonnet-4-6" }
    var scope = SearchScope()
    #expect(!scope.needsTurn && scope.holds(.min) && scope.holds(.max) && scope.holds(turn))
    (scope.since, scope.until) = (Timestamp(milliseconds: 5), Timestamp(milliseconds: 7))
    #expect([4, 5, 7, 8].map { scope.holds($0) } == [false, true, true, false])
    for (model, isHeld) in [("Claude", true), ("claude-sonnet-4-6", true), ("sonnet", false)] {
      scope.model = model
      #expect(scope.needsTurn && scope.holds(turn) == isHeld)
    }
    #expect(!scope.holds(Message(role: "user", text: "x")))
    (scope.model, scope.role) = (nil, "user")
    #expect(!scope.holds(turn) && scope.holds(Message(role: "user", text: "x")))
  }

  @Test(arguments: ["", " ", "\"\"", "...", "\" - \""])
  func `without a word there is nothing to search for`(text: String) {
    let failure = #expect(throws: Failure.self) { try SearchTerms(text) }
    #expect(failure?.code == .badUsage)
  }

  @Test func `a segment is read back, and cut or damaged ones are not`() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<50 {
      var segment = SegmentText()
      for number in 0..<Int.random(in: 0...20, using: &random) {
        let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          ["wal", "log", "é", "x9"].randomElement(using: &random) ?? ""
        }
        segment.add(
          Int64(number) * 3, createdAt: Int64.random(in: 0...99, using: &random),
          FoldedText.words(text.joined(separator: " ")))
      }
      let bytes = segment.bytes
      #expect(SegmentText(bytes: Data(bytes))?.bytes == bytes)
      #expect(segment.without([]).bytes == bytes)
      for length in 0..<bytes.count {
        #expect(SegmentText(bytes: Data(bytes.prefix(length))) == nil)
      }
      let longer = Data(bytes + [0x20])
      #expect(SegmentText(bytes: longer) == nil)
      #expect(SegmentText(bytes: longer.dropFirst().dropLast()) == nil || bytes.count < 5)
    }
    #expect(SegmentText(bytes: Data([255, 255, 255, 255])) == nil)
  }

  @Test func `what is found is what reading everything finds, the newest first`() throws {
    let home = try Home()
    let chats = try home.chats()
    var random = SeededRandom(seed: 5)
    let vocabulary = (0..<400).map { "w\(String($0 * 7919, radix: 36))" } + ["wal", "log"]
    let chat = try chats.makeChat(in: nil, title: "")
    var all: [Message] = []
    for number in 0..<3300 {
      let text = (0..<8).map { _ in vocabulary.randomElement(using: &random) ?? "" }
      all.append(
        Message(role: "user", text: text.joined(separator: number % 2 == 0 ? " " : ", ")).with {
          $0.id = Identifier.make()
          $0.createdAt = Timestamp(milliseconds: Int64.random(in: 1...1_000_000, using: &random))
        })
    }
    for start in stride(from: 0, to: all.count, by: 550) {
      try chats.append(Array(all[start..<min(start + 550, all.count)]), to: chat.id)
    }
    #expect(try segments(home) == 3)
    let newest = all.sorted { ($0.createdAt ?? .now) > ($1.createdAt ?? .now) }
    for query in [
      "w", "wal", "wal log", "w1", "\"wal log\"", vocabulary[3], "zzz", "wa lo", "\"wal, wal\"",
    ] {
      let terms = try SearchTerms(query)
      let expected = newest.filter { terms.match($0.text) }.map(\.createdAt)
      for limit in [1, 7, 5000] {
        let found = try chats.search(query, limit: limit)
        #expect(found.map(\.createdAt) == Array(expected.prefix(limit)), "\(query), \(limit)")
      }
    }
  }

  @Test func `what is deleted or changed is found no more, wherever it stood`() throws {
    let home = try Home()
    let chats = try home.chats()
    let chat = try chats.makeChat(in: nil, title: "")
    let other = try chats.makeChat(in: nil, title: "")
    let kept = try chats.append(
      (0..<1000).map { Message(role: "user", text: "common needle\($0)x") }, to: chat.id)
    try chats.append(
      (0..<1000).map { Message(role: "user", text: "common pin\($0)x") }, to: other.id)
    #expect(try segments(home) == 2)
    let ids = kept.compactMap(\.id)
    try chats.remove([ids[5], ids[999]])
    #expect(try chats.search("needle5x", limit: 5).isEmpty)
    #expect(try chats.search("needle6x", limit: 5).count == 1)
    try chats.save(kept[6].with { $0.text = "another thing" })
    #expect(try chats.search("needle6x", limit: 5).isEmpty)
    #expect(try chats.search("another", limit: 5).map(\.id) == [ids[6]])
    try chats.remove([other.id])
    #expect(try chats.search("pin", limit: 5).isEmpty)
    #expect(try segments(home) == 1)
    #expect(try chats.search("common", limit: 5000).count == 997)
    let failure = #expect(throws: Failure.self) { try chats.remove([ids[7], "unknown"]) }
    #expect(failure?.code == .notFound)
    #expect(try chats.search("needle7x", limit: 5).count == 1)
  }

  private func segments(_ home: Home) throws -> Int? {
    let queue = try DatabaseQueue(path: home.directories.data + "/store.db")
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM segment") }
  }
}
