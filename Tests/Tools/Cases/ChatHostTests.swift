import Foundation
import TestSupport
import Testing

/// `chat-send --host`: a host goes on with its chat, and is asked once, whatever becomes of it.
@Suite("chat-send and a host")
struct ChatHostTests {
  /// Asks a host for each of these; the prompt says how it misbehaves (companion_faults.py).
  private static func ask(
    _ names: [String], _ options: String = "--stream", golden: String? = nil,
    _ body: (Scratch, Server) async throws -> Void = { _, _ in }
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      for name in names {
        try await scratch.shell("chat-send --host mac --chat nothing \(options) '\(name) it is'")
      }
      if let golden { try scratch.expectGolden("chat-send/\(golden)") }
      #expect(server.requests(for: "continue").count == names.count)
      try await body(scratch, server)
    }
  }

  @Test func `an answer is the same whatever the stream looks like`() async throws {
    let names = [
      "plain", "crlf", "cr", "bytewise", "slow", "ping", "pieces", "gzip", "others", "late",
      "short", "noMessage",
    ]
    try await Self.ask(names) { scratch, _ in
      for (name, run) in zip(names, scratch.runs.dropFirst()) {
        let text = "You said: \(name) it is"
        #expect(run.statuses == [0] && run.errors == "", "\(name): \(run.errors)")
        #expect(run.records("delta").map { $0["text"] }.joined() == text, "\(name)")
        let message = try #require(run.records("message").first)
        #expect(message["text"] == text && message["complete"] == "1", "\(name)")
        #expect(run.records.count == run.records("delta").count + 1)
      }
    }
  }

  @Test func `what an answer is made of is told as it comes`() async throws {
    try await Self.ask(["plain"], golden: "host-plain")
    try await Self.ask(["plain", "error", "cut"], "--text", golden: "host-text")
  }

  @Test func `an answer that ends early is kept as far as it came, and not asked for again`()
    async throws
  {
    try await Self.ask(
      ["cut", "reset", "noDone", "unended", "only", "error", "escape", "badFrame"],
      golden: "host-broken"
    ) { scratch, _ in
      for run in scratch.runs.dropFirst() {
        #expect(run.records("message").allSatisfy { $0["complete"] == "0" })
      }
    }
  }

  @Test func `what is no stream is told as what it is, and not asked for again`() async throws {
    try await Self.ask(
      PairFaultTests.answers.filter { $0 != "short" } + ["expired"], golden: "host-refused")
  }

  @Test func `a line of a megabyte is whole, and one without end is given up`() async throws {
    try await Self.ask(["line"]) { scratch, _ in
      let run = try #require(scratch.runs.last)
      let long = String(repeating: "x", count: 1 << 20)
      #expect(run.records.map { $0["text"] } == [long, long])
      #expect(run.statuses == [0])
    }
    try await Self.ask(["flood"], golden: "host-flood")
  }

  @Test func `several prompts are asked once each, though one fails`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      let prompts = ["one", "drop two", "three", "cut four", "five"].map { text in
        #"{"role":"user","text":"\#(text)","type":"message"}"#
      }
      try await scratch.shell(
        "chat-send --host mac --chat nothing", input: prompts.joined(separator: "\n") + "\n")
      try await scratch.shell("chat-log show --host mac nothing | jq -r .text")
      try scratch.expectGolden("chat-send/host-several")
      #expect(server.requests(for: "continue").count == prompts.count)
    }
  }

  @Test func `the host is told the folder of the chat's project`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveCompanion(["--strict"])
      try await scratch.pairWithCompanion()
      let run = try await scratch.shell("chat-send --host mac --chat 'soup/1?' 'go on'")
      #expect(run.statuses == [0])
      #expect(run.records("message").map { $0["text"] } == ["You said: go on"])
    }
  }

  @Test func `who is told to end, ends, and the host is not asked again`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      for signal in [SIGINT, SIGTERM] {
        let asked = server.requests(for: "continue").count
        let running = try scratch.starting(
          "chat-send", "--host", "mac", "--chat", "pond", "silence")
        try await scratch.until("it asks") { server.requests(for: "continue").count > asked }
        running.child.signal(signal)
        let run = await running.ended()
        #expect(run.endings == [.signal(signal)])
        #expect(run.errors == "")
        #expect(server.requests(for: "continue").count == asked + 1)
      }
    }
  }

  @Test func `options that a host cannot have are refused`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveCompanion()
      try await scratch.pairWithCompanion()
      for line in [
        "chat-send --host mac hello", "chat-send --host mac --chat pond --model a --model b hello",
        "chat-send --host mac --chat pond --no-store hello",
        "chat-send --host mac --chat pond --trace hello",
        "chat-send --host mac --chat pond --temperature 1 hello",
        "chat-send --host mac --chat pond --project . hello",
        "chat-send --host mac --chat pond --continue hello",
        "chat-send --allow-http hello", "chat-send --host nobody --chat pond hello",
        "chat-log list --allow-http", "chat-log projects add . --host mac",
        "chat-log show pond --host mac --attachments-into out",
        "chat-log show pond --host mac --limit 0", "chat-log show pond --host mac --cursor -1",
        "chat-log list --host mac --project none", "chat-log show --host mac none",
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("chat-send/host-options")
      #expect(server.requests(for: "continue").isEmpty)
    }
  }
}
