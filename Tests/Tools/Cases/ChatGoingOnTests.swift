import Foundation
import Testing

/// Chats that go on.
@Suite("chat-send --continue")
struct ChatGoingOnTests {
  private static let mark = #""cache_control":{"type":"ephemeral"}"#

  /// What is sent to Anthropic, as it should be.
  private static func body(_ messages: [String], _ system: String) -> String {
    #"{"max_tokens":32000,"messages":["# + messages.joined(separator: ",")
      + #"],"model":"claude-sonnet-4-6","stream":true"# + system + "}"
  }

  private static func said(_ text: String, by role: String = "user") -> String {
    #"{"content":"\#(text)","role":"\#(role)"}"#
  }

  private static func marked(_ text: String, by role: String = "user") -> String {
    #"{"content":[{\#(mark),"text":"\#(text)","type":"text"}],"role":"\#(role)"}"#
  }

  private static func system(_ text: String) -> String { #","system":"\#(text)""# }

  private static func markedSystem(_ text: String) -> String {
    #","system":[{\#(mark),"text":"\#(text)","type":"text"}]"#
  }

  @Test func `a chat keeps its instructions, and what is repeated is marked for the cache`()
    async throws
  {
    try await Scratch.with { scratch in
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      let server = try await scratch.serveWires(
        #"[{"text":"First."},{"text":"Second."},{"text":"Third."},{"text":"Fourth."}]"#)
      let first = try await scratch.shell("chat-send -n one --system 'Be brief.'")
      let chat = try #require(first.records("message").first)["chatId"]
      try await scratch.shell("chat-send -n --continue two")
      // Another chat is the last one now.
      try await scratch.shell("chat-send -n --cache --system Once. three")
      try await scratch.shell(
        "chat-send -n --chat \(chat.suffix(8)) --system 'Be long.' --cache four")
      #expect(
        server.requests.map { $0["body"] } == [
          // A single prompt bears no mark, which would make it dearer.
          Self.body([Self.said("one")], Self.system("Be brief.")),
          Self.body(
            [Self.said("one"), Self.said("First.", by: "assistant"), Self.marked("two")],
            Self.markedSystem("Be brief.")),
          Self.body([Self.marked("three")], Self.markedSystem("Once.")),
          Self.body(
            [
              Self.said("one"), Self.said("First.", by: "assistant"), Self.said("two"),
              Self.said("Second.", by: "assistant"), Self.marked("four"),
            ], Self.markedSystem("Be long.")),
        ])
      let turns = try await scratch.shell("chat-log show \(chat)").records("message")
      #expect(turns.map { $0["text"] } == ["one", "First.", "two", "Second.", "four", "Fourth."])
    }
  }

  @Test(arguments: Wire.allCases)
  func `what only its provider understands goes back byte for byte`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(
        #"[{"text":"First.","reasoning":"Hm \"so\" — 漢字/"},{"text":"Second."},{"text":"Third."}]"#)
      try await scratch.shell("chat-send -n one \(wire.option)")
      try await scratch.shell("chat-send -n two --continue \(wire.option)")
      // Another interface gets the words alone.
      let other: Wire = wire == .anthropic ? .responses : .anthropic
      try await scratch.shell("chat-send -n three --continue \(other.option)")
      let body = try #require(server.requests.dropFirst().first)["body"]
      switch wire {
      case .anthropic:
        #expect(body.contains(#""signature":"sealed+"#))
        #expect(body.contains(#""thinking":"Hm \"so\" — 漢字/""#))
      case .chat: #expect(!body.contains("Hm"))
      case .responses: #expect(body.contains(#""encrypted_content":"sealed+"#))
      }
      let last = try #require(server.requests.last)["body"]
      #expect(!last.contains("sealed+") && !last.contains("Hm"))
      #expect(last.contains("First.") && last.contains("Second."))
    }
  }

  @Test func `a chat goes on in its project, by the folder or by the name`() async throws {
    try await Scratch.with { scratch in
      scratch.set("AGENTPIPES_MODEL", "extractive")
      try scratch.write("work/repo/.git/HEAD", "")
      try scratch.write("work/repo/deep/file", "")
      try await scratch.shell("cd repo/deep && chat-send -n 'About the repository.'")
      try await scratch.shell("chat-send -n 'About another.' --project ./else")
      let names = try await scratch.shell("chat-log projects").records("project")
      #expect(Set(names.map { $0["name"] }) == ["repo", "else"])
      let again = try await scratch.shell("chat-send -n 'More.' --continue --project repo")
      let chat = try #require(again.records("message").first)["chatId"]
      let turns = try await scratch.shell("chat-log show \(chat)").records("message")
      #expect(
        turns.filter { $0["role"] == "user" }.map { $0["text"] } == [
          "About the repository.", "More.",
        ])
      let none = try await scratch.shell("chat-send -n 'More.' --continue --project ./nowhere")
      #expect(none.statuses == [66])
    }
  }

  @Test func `a folder is one project, whichever of its paths is given`() async throws {
    try await Scratch.with { scratch in
      scratch.set("AGENTPIPES_MODEL", "extractive")
      try await scratch.shell("mkdir -p real/deep && ln -s real linked")
      try await scratch.shell("chat-send -n 'One.' --project ./real")
      try await scratch.shell("chat-send -n 'Two.' --project ./linked/")
      try await scratch.shell("chat-send -n 'Three.' --project linked/deep/..")
      try await scratch.shell("chat-send -n 'Four.' --continue --project ./linked")
      try await scratch.shell("cd linked && chat-send -n 'Five.'")
      let added = try await scratch.shell("chat-log projects add linked").records("project")
      let projects = try await scratch.shell("chat-log projects").records("project")
      #expect(projects.map { $0["localPath"] } == [scratch.path("work/real")])
      #expect(projects.map(\.id) == added.map(\.id))
      let chats = try await scratch.shell("chat-log list --project ./linked").records("chat")
      #expect(chats.map { $0["title"] } == ["Five.", "Three.", "Two.", "One."])
    }
  }

  @Test func `an answer that was cut is no part of what goes on`() async throws {
    try await Scratch.with { scratch in
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      let server = try await scratch.serveWires(
        #"[{"cutAfter":"text"},{"text":"Whole."},{"text":"More."}]"#)
      for prompt in ["one", "--continue two", "--continue three"] {
        try await scratch.shell("chat-send -n \(prompt)")
      }
      let last = try #require(server.requests.last)
      #expect(last.list("messages").map { $0["role"] } == ["user", "user", "assistant", "user"])
      #expect(last.list("messages").last?["text"] == "three")
    }
  }
}
