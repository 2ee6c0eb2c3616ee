import Core
import Exporting
import Foundation
import Testing

@Suite struct `A conversation` {
  private let chat = Chat(id: "c-1").with {
    $0.projectId = "p-1"
    $0.title = "Logs *and* more"
    $0.system = "Be brief."
    $0.createdAt = ten
    $0.lastUpdatedAt = ten
    $0.labels = ["team": "db"]
  }
  private let question = Message(role: "user", text: "Why?\r\n\r\n## assistant\n").with {
    $0.id = "m-1"
    $0.chatId = "c-1"
    $0.createdAt = ten
  }
  private let answer = Message(role: "assistant", text: "```swift\nlet a = 1").with {
    $0.id = "m-2"
    $0.chatId = "c-1"
    $0.model = "o/gpt-5"
    $0.costUSD = 0.25
    $0.createdAt = ten.adding(seconds: 1)
  }

  private func export(_ scratch: Scratch, _ conversation: Conversation) throws -> FileRecord {
    var exporter = MarkdownExporter(base: scratch.base)
    return try exporter.export(conversation)
  }

  @Test func `Is one file in which no turn reaches into the next`() throws {
    let scratch = try Scratch()
    let record = try export(
      scratch, Conversation(chat, project: "WAL study", messages: [answer, question]))
    #expect(record.path == scratch.base + "/WAL study/chat-2026-02-25T10-00-00Z.md")
    #expect(record.labels == ["team": "db"])
    #expect(
      try scratch.plain(record.path) == #"""
        ---
        type: chat
        id: c-1
        title: "Logs *and* more"
        project: WAL study
        projectId: p-1
        system: Be brief.
        models:
          - o/gpt-5
        messages: 2
        costUSD: 0.25
        createdAt: "2026-02-25T10:00:00.000Z"
        lastUpdatedAt: "2026-02-25T10:00:00.000Z"
        labels:
          team: db
        ---

        # Logs \*and\* more

        ## user, 2026-02-25T10:00:00.000Z

        > Why?
        >
        > ## assistant

        ## assistant, o/gpt-5, 2026-02-25T10:00:01.000Z

        > ```swift
        > let a = 1

        """#)
  }

  @Test func `Without instants keeps the order in which its turns came`() throws {
    let texts = ["b", "a", "c"]
    let messages = texts.map { Message(role: "user", text: $0).with { $0.chatId = "c-1" } }
    #expect(Conversation(chat, messages: messages).messages.map(\.text) == texts)
    let dated = messages.enumerated().map { index, message in
      var message = message
      message.createdAt = index == 1 ? nil : ten.adding(seconds: Double(-index))
      return message
    }
    #expect(Conversation(chat, messages: dated).messages.map(\.text) == texts)
  }

  @Test func `With a part of unknown cost has an unknown cost`() throws {
    let scratch = try Scratch()
    var unknown = answer
    (unknown.id, unknown.costUSD) = ("m-3", nil)
    let path = try export(scratch, Conversation(chat, messages: [answer, unknown])).path
    #expect(!(try scratch.text(path)).contains("costUSD"))
  }

  @Test func `Grows in its file`() throws {
    let scratch = try Scratch()
    let first = try export(scratch, Conversation(chat, messages: [question]))
    let second = try export(scratch, Conversation(chat, messages: [question, answer]))
    #expect(second.status == .updated && second.path == first.path)
    #expect(
      try export(scratch, Conversation(chat, messages: [answer, question])).status == .unchanged)
  }

  @Test func `Is gathered in whatever order its records come`() throws {
    var gatherer = ConversationGatherer()
    #expect(try gatherer.add(answer))
    #expect(
      try gatherer.add(
        Message(role: "user", text: "alone").with {
          $0.id = "x"
          $0.chatId = "c-9"
        }))
    #expect(try !gatherer.add(Message(role: "user", text: "of no chat").with { $0.id = "y" }))
    #expect(try gatherer.add(question))
    #expect(try gatherer.add(question))
    try gatherer.add(chat)
    try gatherer.add(chat)
    gatherer.name(project: "p-1", "The project")
    guard case .conversation(let whole)? = gatherer.items.first,
      case .message(let alone)? = gatherer.items.last
    else {
      Issue.record("\(gatherer.items)")
      return
    }
    #expect(gatherer.items.count == 2)
    #expect(whole.project == "The project")
    #expect(whole.messages.map(\.id) == ["m-1", "m-2"])
    #expect(alone.id == "x")
  }

  @Test func `Has no record twice with different content`() throws {
    var gatherer = ConversationGatherer()
    try gatherer.add(chat)
    _ = try gatherer.add(question)
    var (otherChat, otherQuestion) = (chat, question)
    (otherChat.title, otherQuestion.text) = ("Other", "Other?")
    let failures = [
      #expect(throws: Failure.self) { try gatherer.add(otherChat) },
      #expect(throws: Failure.self) { _ = try gatherer.add(otherQuestion) },
    ]
    #expect(failures.allSatisfy { $0?.code == .badInput })
  }

  @Test func `Ids that only Unicode holds for equal are two`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var gatherer = ConversationGatherer()
    for (project, name) in [(composed, "One"), (decomposed, "Two")] {
      gatherer.name(project: project, name)
    }
    for id in [composed, decomposed] {
      try gatherer.add(
        Chat(id: id).with {
          $0.projectId = id
          $0.createdAt = ten
        })
      #expect(
        try gatherer.add(
          Message(role: "user", text: id).with {
            $0.id = id
            $0.chatId = id
            $0.model = id
          }))
    }
    let chats = gatherer.items.compactMap { item -> Conversation? in
      if case .conversation(let conversation) = item { conversation } else { nil }
    }
    #expect(chats.map(\.project) == ["One", "Two"])
    #expect(chats.map(\.messages.count) == [1, 1])
    // Text that differs in this alone is other content, and is not dropped.
    let other = Message(role: "user", text: decomposed).with {
      $0.id = composed
      $0.chatId = composed
      $0.model = composed
    }
    #expect(throws: Failure.self) { _ = try gatherer.add(other) }
    #expect(throws: Failure.self) {
      try gatherer.add(
        Chat(id: composed).with {
          $0.projectId = decomposed
          $0.createdAt = ten
        })
    }
  }
}
