import Testing

/// What a person at a terminal sees of answers.
@Suite("chat-send on a terminal")
struct ChatFaceTests {
  private static let three = Wire.allCases.map(\.option).joined(separator: " ")

  /// Runs a line on a terminal, and returns the rows that it shows at the end.
  private func shown(
    _ line: String, _ scratch: Scratch, _ size: (columns: Int, lines: Int),
    escapes: Bool = false
  ) async throws -> [String] {
    var rows: [String] = []
    try await ScreenTerminal.with(scratch, columns: size.columns, lines: size.lines) { terminal in
      try terminal.type("cd '\(scratch.root)/work'")
      try terminal.type("clear; \(line); echo over")
      try await terminal.until("over")
      rows = try terminal.shown(escapes: escapes)
    }
    return Array(rows.prefix { $0 != "over" })
  }

  @Test(arguments: [(80, 24), (110, 40)])
  func `one answer is drawn as it comes, with its Markdown`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        ##"[{"text":"# Rain\n\nIt **rains** on the hills, and it goes on to rain until the evening comes and all is wet.\n\n- one\n- two\n\n```\nlet x = 1\n```\n\nThat is all.","chunks":"bytewise","usage":{"inputTokens":10,"outputTokens":20}}]"##
      )
      let rows = try await shown(
        "chat-send -n ask --model claude-sonnet-4-6", scratch, (columns, lines))
      #expect(rows.count { $0.contains("Rain") } == 1)
      #expect(rows.count { $0.contains("rains on the hills") } == 1)
      #expect(rows.count { $0.contains("one") } == 1 && rows.count { $0.contains("two") } == 1)
      #expect(rows.count { $0.contains("let x = 1") } == 1)
      #expect(rows.count { $0 == "That is all." } == 1)
      #expect(rows.count { $0.contains("10 tokens in, 20 out · $0.0003 ·") } == 1)
      #expect(!rows.contains { $0.contains("**") || $0.contains("```") })
      // The last row is the account: no row below it, and none that was drawn twice.
      let words = rows.filter { !$0.isEmpty }
      #expect(words.count == Set(words).count)
      #expect(words.last?.contains("tokens in") == true)
    }
  }

  @Test(arguments: [(80, 24), (110, 40)])
  func `the end of a loop of tools shows what all its answers cost`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        """
        [{"text":"Looking.","calls":[{"id":"call_1","name":"t__echo","arguments":"{}"}],
          "usage":{"inputTokens":10,"outputTokens":20}},
         {"text":"Done.","usage":{"inputTokens":40,"outputTokens":5}}]
        """)
      let list = try scratch.write(
        "given/tools.json", #"[{"name":"echo","inputSchema":{"type":"object"}}]"#)
      try scratch.write(
        "home/config/config.toml",
        scratch.read("home/config/config.toml") + """

          [mcp.t]
          command = ["python3", "\(Places.tests)/Support/Servers/tool_server.py", "\(list)"]

          """)
      let rows = try await shown(
        "chat-send -n ask --model claude-sonnet-4-6 --tool mcp:t/echo --allow mcp:t/echo", scratch,
        (columns, lines))
      let last = rows.last { !$0.isEmpty }
      #expect(last == "chat-send: 2 answers with tools: 50 tokens in, 25 out, $0.0005", "\(rows)")
    }
  }

  @Test(arguments: [(80, 24), (110, 40), (130, 40)])
  func `three answers stand side by side where they fit, a failure among them`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      let gate = scratch.path("gate")
      let server = try await scratch.serveWires(
        """
        [{"times":2,"text":"It rains on the hills, and on the sea, and it goes on to rain.","holdFile":"\(gate)"},
         {"status":401,"holdFile":"\(gate)"}]
        """)
      var rows: [String] = []
      try await ScreenTerminal.with(scratch, columns: columns, lines: lines) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; chat-send -n ask \(Self.three) 2>/dev/null; echo over")
        try await scratch.until("three requests") { server.requests.count == 3 }
        try await scratch.until("all are waited for") {
          try terminal.shown().count { $0.contains("waiting …") } == 3
        }
        try scratch.write("gate", "")
        try await terminal.until("over")
        rows = try terminal.shown()
      }
      rows = Array(rows.prefix { $0 != "over" })
      let heads = rows.filter { row in Wire.allCases.contains { row.contains($0.model) } }
      #expect(heads.count == (columns >= 108 ? 1 : 3))
      #expect(rows.joined(separator: " ").ranges(of: "rains on the").count == 2)
      #expect(rows.contains { $0.contains("not complete") })
      #expect(!rows.contains { $0.contains("waiting …") || $0.contains("done") })
    }
  }

  @Test func `answers side by side are shown as they come, as far as they came`() async throws {
    try await Scratch.with { scratch in
      let gate = scratch.path("gate")
      try await scratch.serveWires(
        """
        [{"times":2,"text":"It rains on the hills, and it goes on to rain.","chunks":12,
          "holdFile":"\(gate)","holdAt":"half"}]
        """)
      try await ScreenTerminal.with(scratch, columns: 110, lines: 24) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type(
          "clear; chat-send -n ask --model gpt-5.5 --model claude-sonnet-4-6; echo over")
        try await scratch.until("both have begun") {
          try terminal.shown().contains { $0.ranges(of: "It rains").count == 2 }
        }
        try scratch.write("gate", "")
        try await terminal.until("over")
        #expect(try terminal.shown().count { $0.ranges(of: "goes on to rain.").count == 2 } == 1)
      }
    }
  }

  @Test(arguments: [(80, 24), (110, 40)])
  func `calls, files and failures of a chat are told in words, and hits where they are`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"text":"I look it up.","calls":[{"id":"c","name":"weather","arguments":"{\"city\":\"Oslo\"}"}]},{"status":400}]"#
      )
      try scratch.write("work/notes.txt", "abc")
      let sent = try await shown(
        "chat-send -n ask --system Brief. --attach notes.txt --model claude-sonnet-4-6 2>/dev/null",
        scratch, (columns, lines))
      #expect(sent.contains(#"calls weather {"city":"Oslo"}"#))
      let padding = Array(repeating: "much that is said first,", count: 9).joined(separator: " ")
      try await scratch.shell(
        "chat-send -n --continue '\(padding) and then the lighthouse' --model claude-sonnet-4-6")
      let show = "chat-log show $(chat-log list --json | jq -r .id) --limit 2"
      let chat = try await shown("\(show) 2>/dev/null", scratch, (columns, lines))
      #expect(
        Array(chat.dropFirst(2).prefix(13)) == [
          "", "system", "", "Brief.", "", "user", "", "ask", "",
          "with notes.txt, text/plain, 3 bytes", "", "assistant, claude-sonnet-4-6", "",
        ])
      #expect(chat.contains(#"calls weather {"city":"Oslo"}"#))
      let rest = try await shown("\(show) --cursor 2", scratch, (columns, lines))
      #expect(rest.contains("assistant, claude-sonnet-4-6, not complete"))
      #expect(rest.contains { $0.contains("/v1/messages' answered 400") })
      let found = try await shown("chat-log search lighth", scratch, (columns, lines))
      #expect(found.filter { !$0.isEmpty }.count == 2)
      #expect(found[1].hasPrefix("user"))
      #expect(found[1].contains("and then the lighthouse"))
    }
  }

  @Test func `what a server says is shown, never obeyed`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml",
        "[models.\"evil\\u001b[2J\\u202e\"]\nprovider = \"local\"\n")
      try scratch.write(
        "given/hostile.json",
        #"[{"times":0,"text":"a\u001b]0;title\u0007b\u001b[2Jc\u202ed\u0085e\u009b31mf\r\n\n\u001b]52;c;AAAA\u0007g\u0008h"}]"#
      )
      let server = try await Server(
        scratch, "model_server.py", ["--no-key", "--script", scratch.path("given/hostile.json")],
        log: "hostile.log")
      scratch.set("LOCAL_BASE_URL", server.url("/v1"))
      try await ScreenTerminal.with(scratch, columns: 80, lines: 24) { terminal in
        let (before, modes) = (try terminal.titleAndClipboard(), try terminal.modes())
        try terminal.type("cd '\(scratch.root)/work'; x=$(printf 'evil\\033[2J\\342\\200\\256')")
        try terminal.type("clear; chat-send -n ask --model \"$x\" --model local/b 2>&1; echo over")
        try await terminal.until("over")
        try terminal.type("clear; chat-send -n ask --model \"$x\" 2>&1; echo again")
        try await terminal.until("again")
        let rows = try terminal.shown()
        #expect(rows.contains { $0.contains("title") })
        #expect(rows.contains { $0.contains("AAAA") })
        #expect(try terminal.titleAndClipboard() == before)
        #expect(try terminal.modes() == modes)
        #expect(!rows.joined().unicodeScalars.contains { $0 == "\u{202E}" })
      }
    }
  }

  @Test(arguments: [(80, 24), (40, 12)])
  func `an answer with more rows than the screen leaves no torn row`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      let item = (1...60).map { "- item \($0) of the list goes on for a while, so that it wraps" }
      let text = item.joined(separator: "\\n")
      try await scratch.serveWires(#"[{"text":"\#(text)","chunks":400}]"#)
      try await ScreenTerminal.with(scratch, columns: columns, lines: lines) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; chat-send -n ask --model claude-sonnet-4-6; echo over")
        try await terminal.until("over")
        let rows = try terminal.history()
        for number in 1...60 {
          #expect(rows.count { $0.contains("item \(number) of") } == 1, "item \(number)")
        }
      }
    }
  }

  @Test func `a window made narrower meanwhile shows each word once`() async throws {
    try await Scratch.with { scratch in
      let gate = scratch.path("gate")
      let server = try await scratch.serveWires(
        #"[{"text":"First paragraph stands.\n\nSecond paragraph begins here and is long enough to wrap in a narrow window, and then it ends.\n\nThird paragraph.","chunks":40,"holdFile":"\#(gate)","holdAt":"half"}]"#
      )
      try await ScreenTerminal.with(scratch, columns: 110, lines: 30) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; chat-send -n ask --model claude-sonnet-4-6; echo over")
        try await scratch.until("the half is shown") {
          try server.requests.count == 1
            && terminal.shown().contains { $0.contains("Second paragraph begins") }
        }
        try terminal.resize(columns: 50, lines: 30)
        try scratch.write("gate", "")
        try await terminal.until("over")
        let rows = try terminal.history()
        for word in ["First paragraph", "Third paragraph", "tokens in"] {
          #expect(rows.count { $0.contains(word) } == 1, "\(word) in \(rows)")
        }
        #expect(rows.contains { $0.contains("it ends") })
      }
    }
  }
}
