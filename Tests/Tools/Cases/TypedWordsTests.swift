import Foundation
import TestSupport
import Testing

/// What persons typed, in the many kinds of lines in which agents keep it.
@Suite("chat-log import of what was typed")
struct TypedWordsTests {
  private static let session = "11111111-2222-4333-8444-555555555555"
  private static let gone = "aaaaaaaa-1111-4111-8111-111111111111"

  /// A line of a session, written at the given second.
  private static func line(_ second: Int, _ members: String) -> String {
    let time = "2026-03-01T10:00:\(second < 10 ? "0" : "")\(second).000Z"
    return
      #"{"cwd":"/w","sessionId":"\#(session)","version":"2.1.332","timestamp":"\#(time)",\#(members)}"#
  }

  private static func said(_ second: Int, _ content: String, _ more: String = "") -> String {
    line(second, #""type":"user",\#(more)"message":{"role":"user","content":\#(content)}"#)
  }

  private static func answer(_ second: Int, _ id: String, _ block: String) -> String {
    line(
      second,
      #""type":"assistant","requestId":"r\#(id)","message":{"id":"\#(id)","model":"m","content":[\#(block)],"usage":{"input_tokens":10,"output_tokens":5}}"#
    )
  }

  private static func text(_ text: String) -> String { #"{"type":"text","text":"\#(text)"}"# }

  private static let claude = [
    said(
      1,
      #""<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>the parser, mind line 80</command-args>""#
    ),
    said(2, #""Base directory for this skill: /w""#, #""isMeta":true,"#),
    answer(
      3, "m1",
      #"{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"grep -rn overflow src"}}"#
    ),
    line(
      4,
      #""type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"Skip the network tests."}"#
    ),
    line(5, #""type":"attachment","attachment":{"type":"todo_reminder"}"#),
    line(5, #""type":"attachment","attachment":{"type":"telepathy"}"#),
    said(
      6,
      #"[{"type":"tool_result","tool_use_id":"toolu_1","content":"<persisted-output>\nOutput too large (61KB). Full output saved to: /home/u/.claude/projects/-w/\#(session)/tool-results/toolu_1.txt\n\nPreview (first 2KB):\nline 1\n</persisted-output>"}]"#
    ),
    // Two writes at the same time.
    #"{"cwd":"/w","sessionId":"\#(session)","uuid":"#
      + answer(7, "m2", text("The second answer survives.")),
    said(8, #"[\#(text("[Request interrupted by user]")),\#(text("Do part B instead."))]"#),
    // A power failure.
    String(repeating: "\0", count: 300),
    String(repeating: "\0", count: 40) + answer(9, "m3", text("Part B is done.")),
    said(10, #""<bash-input>make clean</bash-input>""#)
      + said(11, #""<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>""#),
    said(12, #""<system-reminder>\nBe brief.\n</system-reminder>\nGo on with the docs.""#),
    line(13, #""type":"queue-operation","operation":"enqueue","content":"And the man page.""#),
    line(14, #""type":"queue-operation","operation":"dequeue""#),
    answer(15, "m4", text("Both are written.")),
    line(16, #""type":"queue-operation","operation":"enqueue","content":"Thanks.""#),
    line(17, #""type":"queue-operation","operation":"dequeue""#),
    said(18, #""Thanks.""#),
    answer(19, "m5", text("You are welcome.")),
    line(20, #""type":"api-request-blob","message":{"content":[{"type":"text","text":"x"}]}"#),
    line(
      21,
      #""type":"cost-state","totalCostUSD":0.5,"modelUsage":{"m":{"inputTokens":50,"outputTokens":25,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"costUSD":0.5}}"#
    ), line(22, #""type":"seance""#),
  ].joined(separator: "\n")

  private static let history = [
    #"{"display":"Compare the two tax forms.","pastedContents":{},"timestamp":1772013600000,"project":"/w/tax","sessionId":"\#(gone)"}"#,
    #"{"display":"Now [Pasted text #1 +2 lines] too.","pastedContents":{"1":{"id":1,"type":"text","content":"the appendix"}},"timestamp":1772013700000,"project":"/w/tax","sessionId":"\#(gone)"}"#,
    #"{"display":"/model","pastedContents":{},"timestamp":1772013800000,"project":"/w/tax","sessionId":"bbbbbbbb-1111-4111-8111-111111111111"}"#,
    #"{"display":"/review the parser, mind line 80","pastedContents":{},"timestamp":1772359200000,"project":"/w","sessionId":"\#(session)"}"#,
  ].joined(separator: "\n")

  private static let codex = [
    #"{"timestamp":"2026-03-02T10:00:00.000Z","type":"session_meta","payload":{"id":"x1","cwd":"/w","cli_version":"0.163.0"}}"#,
    item(1, "<environment_context>\\n  <cwd>/w</cwd>\\n</environment_context>"),
    item(2, "# AGENTS.md instructions for /w\\n\\n<INSTRUCTIONS>\\nBe brief.\\n</INSTRUCTIONS>"),
    item(3, "<task>Rename the lamp to light.</task>"),
    item(4, "# AGENTS.md instructions are too long, please shorten the file"),
    item(
      5,
      "<user_shell_command>\\n<command>\\nls -la\\n</command>\\n<result>\\na.c\\n</result>\\n</user_shell_command>"
    ),
    item(6, "Done.", role: "assistant", kind: "output_text"),
  ].joined(separator: "\n")

  private static func item(
    _ second: Int, _ text: String, role: String = "user", kind: String = "input_text"
  ) -> String {
    #"{"timestamp":"2026-03-02T10:00:0\#(second).000Z","type":"response_item","payload":{"type":"message","role":"\#(role)","content":[{"type":"\#(kind)","text":"\#(text)"}]}}"#
  }

  private static let place = "work/claude/projects/-w/\(session)"

  private func write(_ scratch: Scratch) throws {
    try scratch.write("\(Self.place).jsonl", Self.claude + "\n")
    try scratch.write(
      "\(Self.place)/tool-results/toolu_1.txt",
      (1...900).map { "line \($0)" }.joined(separator: "\n") + "\nthe lost needle\n")
    try scratch.write("work/claude/history.jsonl", Self.history + "\n")
    try scratch.write("work/codex/sessions/2026/03/02/rollout-x1.jsonl", Self.codex + "\n")
    scratch.set("CLAUDE_CONFIG_DIR", scratch.path("work/claude"))
    scratch.set("CODEX_HOME", scratch.path("work/codex"))
  }

  private static let texts =
    "chat-log list | jq -r .id | xargs -n1 chat-log show | jq -c 'if .type == \"chat\" then [.title, .labels.only] else [.role, .text, .error.code] end'"

  @Test func `nothing that a person typed is lost`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      try await scratch.shell("chat-log import --from-claude --from-codex | jq -c .title")
      try await scratch.shell(Self.texts)
      try await scratch.shell("chat-log import --from-claude --from-codex >again 2>/dev/null")
      try await scratch.shell(
        "cat again; chat-log usage | jq -c '[.calls, .inputTokens, .outputTokens]'")
      for words in ["mind line", "tax forms", "grep overflow", "\"lost needle\"", "appendix"] {
        try await scratch.shell("chat-log search '\(words)' | jq -c '[.role, .text]'")
      }
      try scratch.expectGolden("chat-log/typed")
    }
  }

  @Test func `prompts from the history are replaced by the session that appears later`()
    async throws
  {
    try await Scratch.with { scratch in
      try write(scratch)
      try await scratch.shell("chat-log import --from-claude >/dev/null")
      let whole = Self.claude.replacing(Self.session, with: Self.gone)
        .replacing(#""id":"m"#, with: #""id":"n"#)
      try scratch.write("work/claude/projects/-w-tax/\(Self.gone).jsonl", whole + "\n")
      let chats = "chat-log list | jq -c '[.labels.session, .labels.only]' | sort"
      #expect(
        try await scratch.shell("\(chats)").output
          == "[\"\(Self.session)\",null]\n[\"\(Self.gone)\",\"prompts\"]\n")
      for _ in 1...2 {
        try await scratch.shell("chat-log import --from-claude >/dev/null")
        #expect(
          try await scratch.shell("\(chats)").output
            == "[\"\(Self.session)\",null]\n[\"\(Self.gone)\",null]\n")
        let found = try await scratch.shell("chat-log search 'mind line' | jq -r .text")
        #expect(found.output == String(repeating: "/review the parser, mind line 80\n", count: 2))
        #expect(try await scratch.shell("chat-log search 'tax forms'").output.isEmpty)
      }
    }
  }

  @Test func `unknown forms are counted by kind, and known ones are silent`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      try await scratch.shell("agent-adopt claude codex")
      let status = try await scratch.shell(
        "agent-adopt status claude codex | jq -c '[.agent, .tried, .versions, .unknownEntries, .unreadable]'"
      )
      #expect(
        status.output == """
          ["claude",["1.0","2.1.332"],["2.1.332"],{"attachment/telepathy":1,"seance":1},2]
          ["codex",["0.154","0.163.0"],["0.163.0"],{},0]

          """)
    }
  }
}

/// Small inputs from public reports, each with the prompts and answers that must come out.
private let reports = Places.environment["AGENTPIPES_EVAL"].flatMap { folder -> String? in
  let cases = "\(folder)/cases"
  return FileManager.default.fileExists(atPath: "\(cases)/06-queued-prompt") ? cases : nil
}

@Suite(
  "chat-log import of reported files", .enabled(if: reports != nil, "AGENTPIPES_EVAL has no cases"))
struct ReportedFilesTests {
  @Test(arguments: [
    (
      "06-queued-prompt/projects/-w/11111111-2222-4333-8444-555555555555.jsonl",
      [
        "user Run the slow tests.", "assistant ", "user Skip the network tests, please.", "tool ",
        "assistant Done, without the network tests.",
      ], ""
    ),
    (
      "06-queued-prompt/siblings/queued-blocks.jsonl",
      ["user Before.", "user A picture of it.", "assistant Answer."], ""
    ),
    (
      "06-queued-prompt/siblings/queue-operation.jsonl",
      ["user Before.", "user Also check the docs.", "assistant Answer."], ""
    ),
    (
      "07-slash-command-words/projects/-w/11111111-2222-4333-8444-555555555555.jsonl",
      [
        "user /review src/parser.c, mind the overflow in line 80",
        "assistant Line 80 overflows for lengths above 2^31.",
      ], ""
    ),
    (
      "07-slash-command-words/siblings/bash-input.jsonl",
      ["user !ls -la src", "assistant Answer."], ""
    ),
    (
      "07-slash-command-words/siblings/compact-args.jsonl",
      ["user /compact keep the failing tests and their names", "assistant Answer."], ""
    ),
    (
      "07-slash-command-words/siblings/interrupted-with-words.jsonl",
      ["user Do part B instead, please.", "assistant Answer."], ""
    ),
    (
      "07-slash-command-words/siblings/reminder-then-words.jsonl",
      ["user Please fix the lamp.", "assistant Answer."], ""
    ),
    (
      "07-slash-command-words/siblings/typed-angle.jsonl",
      [
        "user <command-line> options are not read after --; fix the parser", "assistant Answer.",
      ], ""
    ),
    (
      "07-slash-command-words/siblings/codex-agents-words.jsonl",
      [
        "user # AGENTS.md instructions are too long, please shorten the file",
        "assistant Answer.",
      ], ""
    ),
    (
      "07-slash-command-words/siblings/codex-xml-prompt.jsonl",
      ["user <task>Rename the lamp to light in all files.</task>", "assistant Answer."], ""
    ),
    (
      "08-spliced-lines/projects/-w/11111111-2222-4333-8444-555555555555.jsonl",
      [
        "user First prompt.", "assistant First answer.",
        "assistant The second answer must survive.",
        "user And the third prompt.", "assistant Third answer.", "user Last prompt.",
      ], "1 line"
    ),
    (
      "08-spliced-lines/siblings/codex-spliced.jsonl",
      ["user First words", "user Second words, spliced", "assistant Answer."], ""
    ),
    (
      "08-spliced-lines/siblings/cut-then-whole.jsonl", ["user One.", "assistant Answer."], "1 line"
    ),
    (
      "08-spliced-lines/siblings/joined-blank.jsonl",
      ["user One.", "user Two.", "assistant Answer."], ""
    ),
    (
      "08-spliced-lines/siblings/joined.jsonl", ["user One.", "user Two.", "assistant Answer."], ""
    ),
    ("08-spliced-lines/siblings/zeros-after.jsonl", ["user One.", "assistant Answer."], ""),
    (
      "09-zero-bytes-in-the-middle/projects/-w",
      ["user Before the power cut.", "assistant After the power cut.", "user Go on."], "1 line"
    ),
  ])
  func `a file gives all its messages`(path: String, messages: [String], lost: String) async throws
  {
    try await Scratch.with { scratch in
      let agent = path.contains("codex") ? "codex" : "claude"
      let file = "\(try #require(reports))/\(path)"
      let imported = try await scratch.shell("chat-log import --from-\(agent) '\(file)'")
      let title = agent == "codex" ? "Codex" : "Claude Code"
      #expect(
        imported.errors
          == (lost.isEmpty
            ? "" : "chat-log: \(title): skipped \(lost) that could not be read\n"))
      let shown = try await scratch.shell(
        "chat-log export | jq -r 'select(.type == \"message\") | \"\\(.role) \\(.text)\"'")
      #expect(shown.output == messages.joined(separator: "\n") + "\n")
    }
  }

  @Test func `of sessions that are gone, the prompts are left`() async throws {
    try await Scratch.with { scratch in
      let folder = "\(try #require(reports))/10-only-the-prompts-are-left/claude"
      scratch.set("CLAUDE_CONFIG_DIR", folder)
      let imported = try await scratch.shell("chat-log import --from-claude")
      #expect(
        imported.records("chat").map { "\($0["labels.only"]): \($0["title"])" }
          .sorted()
          == [
            ": A session that is still there.", "prompts: Compare the two tax forms for 2025.",
          ]
      )
      #expect(try await scratch.shell("chat-log import --from-claude").output.isEmpty)
      let shown = try await scratch.shell(
        "chat-log search 'tax forms' | jq -r .text; chat-log search appendix | jq -r .text")
      #expect(shown.output == "Compare the two tax forms for 2025.\nNow the appendix.\n")
    }
  }

  @Test func `a long result is whole, and the helper of a workflow has a parent`() async throws {
    try await Scratch.with { scratch in
      let folder = "\(try #require(reports))/35-results-beside-the-session/projects"
      let imported = try await scratch.shell("chat-log import --from-claude '\(folder)'")
      let chats = imported.records("chat")
      #expect(
        chats.map { $0["title"] }.sorted() == [
          "Search the whole log, then ask two helpers.", "checker: Check part one.",
        ])
      let parents = chats.filter { $0["labels.parent"].isEmpty }.map(\.id)
      #expect(chats.map { $0["labels.parent"] }.filter { !$0.isEmpty } == parents)
      let found = try await scratch.shell(
        "for w in 'part one is sound' '\"lost needle\"' 'cat big.log'; do chat-log search \"$w\" | jq -r .role; done; chat-log usage | jq .calls"
      )
      #expect(found.output == "assistant\ntool\nassistant\n3\n")
    }
  }
}
