import Foundation
import TestSupport
import Testing

/// Prompts whose end is not the usual one, and what is kept of them.
@Suite("chat-send, and what is kept")
struct ChatEndingTests {
  /// Asks once, then again, and ends the second one by a signal once its first words are told.
  private func interrupt(
    _ scratch: Scratch, _ wire: Wire, by signal: Int32
  ) async throws -> (run: ToolRun, kept: [Record]) {
    try await scratch.serveWires(
      #"[{"text":"A first answer."},{"text":"Half of it\n\nis told.","chunks":2,"stall":true}]"#)
    let first = try await scratch.shell("chat-send -n one \(wire.option)")
    #expect(first.statuses == [0])
    let running = try scratch.starting(
      "chat-send", "-n", "two", "--continue", "--stream", "--model", wire.model)
    try await scratch.until("its first words are told") { running.output.contains("Half") }
    running.child.signal(signal)
    return (await running.ended(), try await scratch.keptTurns())
  }

  @Test(arguments: Wire.allCases)
  func `Ctrl-C keeps what came of an answer, and marks it`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      let (run, kept) = try await interrupt(scratch, wire, by: SIGINT)
      #expect(run.endings == [.signal(SIGINT)])
      let message = try #require(run.records("message").first)
      #expect(run.records("message").count == 1)
      #expect(kept.map { $0["text"] }.dropLast() == ["one", "A first answer.", "two"])
      for record in [message, try #require(kept.last)] {
        #expect(record["text"].hasPrefix("Half") && record.flag("complete") == false)
        #expect(record["error.code"] == "Interrupted")
      }
      #expect(try await usage(scratch) == [["\(wire.model)", "2", ""]])
    }
  }

  @Test(arguments: Wire.allCases)
  func `a kill in the middle of an answer loses no earlier turn, and the cut one is marked`(
    _ wire: Wire
  ) async throws {
    try await Scratch.with { scratch in
      let (run, kept) = try await interrupt(scratch, wire, by: SIGKILL)
      #expect(run.endings == [.signal(SIGKILL)])
      #expect(kept.map { $0["text"] } == ["one", "A first answer.", "two", ""])
      #expect(kept.map { $0.flag("complete") } == [nil, true, nil, false])
      #expect(kept.last?["error.code"] == "Interrupted")
      #expect(try await usage(scratch) == [["\(wire.model)", "2", ""]])
      // The chat goes on.
      let again = try await scratch.shell("chat-send -n three --continue \(wire.option)")
      #expect(again.statuses == [0])
    }
  }

  /// The models, calls and costs that `chat-log usage` reports.
  private func usage(_ scratch: Scratch) async throws -> [[String]] {
    try await scratch.shell("chat-log usage --by model").records.map { record in
      [record["key"], record["calls"], record["costUSD"]]
    }
  }

  @Test(arguments: ["", "--no-store"])
  func `the only answer counts though it was killed, and nothing that was not asked does`(
    _ option: String
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(#"[{"text":"Half of it\n\nis told.","chunks":2,"stall":true}]"#)
      let words = [
        "-n", "one", "--stream", "--model", "claude-sonnet-4-6", "--model", "apple/system", option,
      ]
      let running = try scratch.running(
        ["\(Places.tools)/chat-send"] + words.filter { !$0.isEmpty }, "chat-send")
      try await scratch.until("its first words are told") { running.output.contains("Half") }
      try await scratch.until("what was not asked has ended") {
        running.output.contains(#""type":"message""#)
      }
      running.child.signal(SIGKILL)
      _ = await running.ended()
      #expect(try await usage(scratch) == [["claude-sonnet-4-6", "1", ""]])
    }
  }

  @Test(arguments: ["", "--no-store"])
  func `a kill before the first word leaves one call of unknown cost, and no word in its row`(
    _ option: String
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"holdFile":"\#(scratch.path("never"))","times":0}]"#)
      let words = ["-n", "Archaeopteryx?", "--model", "claude-sonnet-4-6", option]
      let running = try scratch.running(
        ["\(Places.tools)/chat-send"] + words.filter { !$0.isEmpty }, "chat-send")
      try await scratch.until("the request is there") { server.requests.count == 1 }
      running.child.signal(SIGKILL)
      #expect(await running.ended().endings == [.signal(SIGKILL)])
      for tool in ["chat-log", "agent-stat"] {
        let sums = try await scratch.shell("\(tool) usage --by tool").records("usage")
        #expect(sums.map { [$0["key"], $0["calls"], $0["costUSD"]] } == [["chat-send", "1", ""]])
        #expect(try await scratch.shell("\(tool) usage --text").output.contains("$?"))
      }
      let store = "sqlite3 ~/../home/data/store.db"
      let row = try await scratch.shell("\(store) 'SELECT outcome, model FROM call'")
      #expect(row.output == "running|\n")
      let grep = "grep -aE 'Archae|sonnet'"
      #expect(try await scratch.shell("\(store) 'SELECT * FROM call' | \(grep)").output == "")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a reader that goes away does not take the answer with it`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(#"[{"text":"Much is said.","chunks":"bytewise"}]"#)
      try await scratch.shell("chat-send -n one --stream --model claude-sonnet-4-6 | head -n 1")
      let kept = try #require(try await scratch.keptTurns().last)
      #expect(kept["text"].hasPrefix("M"))
    }
  }

  @Test(arguments: ["", "--no-store"])
  func `no word of a chat is in any file, and without a store none is kept`(
    _ option: String
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"text":"Quetzalcoatlus.","reasoning":"Pteranodon?","times":0,"usage":{"inputTokens":1000,"outputTokens":100}}]"#
      )
      try scratch.write("work/note.txt", "Rhamphorhynchus")
      let run = try await scratch.shell(
        "chat-send -n 'Archaeopteryx?' --system Dimorphodon --attach note.txt --model claude-sonnet-4-6 \(option)"
      )
      #expect(run.statuses == [0])
      let found = try await scratch.shell(
        "grep -rlaE 'Quetzalc|Pteranod|Rhamphorh|Archaeop|Dimorphod|cXVldHphbGNv' ../home")
      #expect(found.output == "")
      if option.isEmpty {
        #expect(
          try await scratch.keptTurns().map { $0["text"] } == ["Archaeopteryx?", "Quetzalcoatlus."])
      } else {
        #expect(try await scratch.shell("chat-log list").output == "")
        #expect(try await scratch.shell("chat-send -n more --continue").statuses == [66])
      }
    }
  }

  @Test(arguments: Wire.allCases)
  func `the wire is shown where that is asked for, without secrets`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(#"[{"text":"It is.","chunks":1,"ping":false}]"#)
      try await scratch.shell("chat-send -n ask --trace \(wire.option)")
      try scratch.expectGolden("chat-send/trace-\(wire)")
    }
  }
}
