import Foundation
import Testing

/// Prompts, sent by the real tool to a server that speaks the providers' wires.
@Suite("chat-send")
struct ChatSendTests {
  @Test func `an answer is one message with its tokens, its cost and its times`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(#"[{"text":"Forty-two."}]"#)
      let run = try await scratch.shell(
        "chat-send -n 'what is it?' --model claude-sonnet-4-6 --temperature 0.5 --max-tokens 99 --stop END --stop FIN"
      )
      let message = try #require(run.records("message").first)
      let (first, total) = (message.number("firstTokenMs"), message.number("totalMs"))
      #expect((first ?? 0) > 0 && (first ?? 0) <= (total ?? 0))
      #expect(
        server.requests.map { $0["body"] } == [
          #"{"max_tokens":99,"messages":[{"content":"what is it?","role":"user"}],"#
            + #""model":"claude-sonnet-4-6","stop_sequences":["END","FIN"],"stream":true,"#
            + #""temperature":0.5}"#
        ])
      try scratch.expectGolden("chat-send/answer")
    }
  }

  @Test(arguments: [
    (Wire.anthropic, 500, 0.006975), (.chat, 0, 0.009), (.responses, 500, 0.002225),
  ])
  func `what an answer cost is right to a billionth of a dollar`(
    _ wire: Wire, _ written: Int, _ cost: Double
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"text":"T","times":2,"usage":{"inputTokens":1000,"cacheReadTokens":2000,"cacheWriteTokens":\#(written),"outputTokens":100}}]"#
      )
      for option in ["", "--no-store"] {
        let run = try await scratch.shell("chat-send -n ask \(wire.option) \(option)")
        let message = try #require(run.records("message").first)
        #expect(abs((message.number("costUSD") ?? -1) - cost) < 1e-9)
        #expect(message.number("usage.inputTokens") == 3000 + Double(written))
        #expect(message.number("usage.cacheReadTokens") == 2000)
        #expect(message.number("usage.cacheWriteTokens") ?? 0 == Double(written))
      }
    }
  }

  @Test func `a price that is not known is told by no number`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires()
      let run = try await scratch.shell("chat-send -n ask --model gpt-unheard-of")
      #expect(run.statuses == [0])
      #expect(run.records("message").map { $0.number("costUSD") } == [nil])
    }
  }

  @Test func `what is piped in is the material, unless stdin is left alone`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      let ask = "chat-send 'review this' --model claude-sonnet-4-6"
      for line in [
        "printf 'a diff\\n' | \(ask)", "\(ask) <given", "printf 'a diff\\n' | \(ask) -n",
        "printf 'only this\\n' | chat-send --model claude-sonnet-4-6",
        "printf 'only this\\n' | chat-send - --model claude-sonnet-4-6", "\(ask) </dev/null",
      ] {
        try scratch.write("work/given", "a file\n")
        #expect(try await scratch.shell(line).statuses.last == 0)
      }
      #expect(
        server.requests.map { $0.list("messages").map { $0["text"] } } == [
          ["review this\n\na diff\n"], ["review this\n\na file\n"], ["review this"],
          ["only this\n"], ["only this\n"], ["review this"],
        ])
    }
  }

  @Test func `messages of a user are turns of one chat, and all else passes`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(
        #"[{"text":"To the first."},{"text":"To the second."}]"#)
      let run = try await scratch.shell(
        "chat-send --model claude-sonnet-4-6",
        input: """
          {"type":"message","role":"user","text":"First?","labels":{"k":"v"}}
          {"type":"message","role":"assistant","text":"Said elsewhere."}
          {"type":"page","url":"https://a.example/","text":"A page"}
          not a record
          {"type":"message","role":"user"}
          {"type":"message","role":"user","text":"Second?"}

          """)
      #expect(run.statuses == [65])
      #expect(
        server.requests.map { $0.list("messages").map { $0["text"] } } == [
          ["First?"], ["First?", "To the first.", "Second?"],
        ])
      try scratch.expectGolden("chat-send/records")
    }
  }

  @Test func `pieces come before the message where that is asked for`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        """
        [{"text":"One two","reasoning":"Hm, so.","chunks":2,"times":3},
         {"text":"Again","chunks":2,"duplicateStart":true}]
        """)
      for wire in Wire.allCases {
        try await scratch.shell("chat-send -n ask --stream \(wire.option)")
      }
      // Here the answer begins again.
      try await scratch.shell("chat-send -n ask --stream --model claude-sonnet-4-6")
      try scratch.expectGolden("chat-send/stream")
    }
  }

  @Test(arguments: Wire.allCases)
  func `tools that a model calls are written, and run by nobody`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"text":"","calls":[{"id":"call_1","name":"look","arguments":"{\"place\":\"Paris\"}"},{"id":"call_2","name":"wait","arguments":"{}"}]}]"#
      )
      let run = try await scratch.shell("chat-send -n ask \(wire.option)")
      #expect(run.statuses == [0])
      let message = try #require(run.records("message").first)
      #expect(message.flag("complete") == true)
      #expect(message.list("toolCalls").map { $0["name"] } == ["look", "wait"])
      #expect(run.records("toolCall").map { $0["arguments.place"] } == ["Paris", ""])
      #expect(run.records.map(\.type) == ["toolCall", "toolCall", "message"])
      try scratch.expectGolden("chat-send/calls-\(wire)")
    }
  }

  @Test func `an answer that ends at its limit is whole, and that is said`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires()
      for wire in Wire.allCases {
        let run = try await scratch.shell("chat-send -n ask --max-tokens 3 \(wire.option)")
        #expect(run.statuses == [0])
        #expect(run.records("message").map { $0.flag("complete") } == [true])
        #expect(run.errors.contains("cut at its token limit"))
      }
      try scratch.expectGolden("chat-send/length")
    }
  }

  @Test func `the options of every tool are those of this one`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/hills.txt", "It rains on the hills for most of the winter. The sea is calm.")
      let ask = "chat-send -n 'where does it rain?' --attach hills.txt --model extractive"
      for options in ["--text --color always", "--text --color never", "--json --timings", "-v"] {
        #expect(try await scratch.shell("\(ask) \(options)").statuses == [0])
      }
      try scratch.expectGolden("chat-send/options")
      #expect(try await scratch.shell("chat-send --version").output.hasPrefix("chat-send "))
      #expect(try await scratch.shell("chat-send --help").output.contains("--model"))
    }
  }

  @Test(arguments: [
    ("chat-send -n", 64), ("chat-send -n ''", 64), ("chat-send -n ask --temperature 3", 64),
    ("chat-send -n ask --max-tokens 0", 64), ("chat-send -n ask --repair 2", 64),
    ("chat-send -n ask --continue --chat x", 64), ("chat-send -n ask --chat x --project y", 64),
    ("chat-send -n ask --model gpt-5.4-mini --model gpt-5.4-mini", 64),
    ("chat-send -n ask --continue", 66),
    ("chat-send -n ask --chat 0190", 66), ("chat-send -n ask --project nobody", 66),
    ("chat-send -n ask --model nobody", 66), ("chat-send -n ask --model apple/system", 66),
    ("chat-send -n ask --model azure/x", 78), ("chat-send -n ask --attach nowhere", 66),
    ("chat-send -n ask --schema nowhere", 66),
    ("chat-send -n ask --stop END --model gpt-6-luna", 65),
  ])
  func `what cannot be asked is not asked`(_ line: String, _ status: Int32) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      let run = try await scratch.shell(line)
      #expect(run.statuses == [status])
      #expect(server.requests.isEmpty)
      let words = line.split(separator: " ").dropFirst(2).filter { $0 != "ask" }
        .map { $0.replacing("--", with: "").replacing("/", with: "-") }
      let name = (["not-asked"] + words).joined(separator: "-").replacing("''", with: "empty")
      try scratch.expectGolden("chat-send/\(name)")
    }
  }
}
