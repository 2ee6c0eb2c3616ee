import Foundation
import Testing

@Suite("chat-log import of sessions")
struct ChatSessionTests {
  private static let claude = #"""
    {"type":"user","sessionId":"c1","cwd":"/w/app","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Why is it slow?"}}
    {"type":"assistant","sessionId":"c1","cwd":"/w/app","requestId":"r1","timestamp":"2026-03-01T10:00:01.000Z","message":{"id":"m1","model":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"top"}}],"usage":{"input_tokens":5,"cache_read_input_tokens":20,"output_tokens":3}}}
    {"type":"user","sessionId":"c1","timestamp":"2026-03-01T10:00:02.000Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"busy"}]}}
    {"type":"telepathy","sessionId":"c1"}
    {"type":"assistant","sessionId":"c1","requestId":"r2","timestamp":"2026-03-01T10:00:03.000Z","message":{"id":"m2","model":"m","content":[{"type":"text","text":"A race in the WAL reader."}],"usage":{"input_tokens":7,"output_tokens":4}}}
    {"type":"assistant","sessionId":"c1","requ
    """#
  private static let codex = #"""
    {"timestamp":"2026-03-02T10:00:00.000Z","type":"session_meta","payload":{"id":"x1","cwd":"/w/app","cli_version":"0.154.0"}}
    {"timestamp":"2026-03-02T10:00:00.100Z","type":"event_msg","payload":{"type":"user_message","message":"Fix it"}}
    {"timestamp":"2026-03-02T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Fixed."}]}}
    {"timestamp":"2026-03-02T10:00:02.100Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":30,"cached_input_tokens":10,"output_tokens":6}}}}
    """#
  private static let gemini = #"""
    {"sessionId":"g1","startTime":"2026-03-03T10:00:00.000Z"}
    {"id":"a","timestamp":"2026-03-03T10:00:01.000Z","type":"user","content":[{"text":"Rename it"}]}
    {"id":"b","timestamp":"2026-03-03T10:00:02.000Z","type":"gemini","model":"g","content":"Renamed.","tokens":{"input":9,"output":2,"thoughts":1}}
    """#
  /// Makes a database whose last message is only in its write-ahead log, as while OpenCode runs.
  private static let openCode = #"""
    import os, sqlite3
    os.makedirs("opencode", exist_ok=True)
    db = sqlite3.connect("opencode/opencode.db")
    db.execute("pragma journal_mode = wal")
    db.executescript("""
    create table session (id text, parent_id text, directory text, title text, version text, time_created integer);
    create table message (id text, session_id text, time_created integer, data text);
    create table part (id text, message_id text, session_id text, data text);
    insert into session values ('o1', null, '/w/app', 'Build', '1.18.31', 1772618400000);
    insert into message values ('a', 'o1', 1772618400000, '{"role":"user"}');
    insert into part values ('p1', 'a', 'o1', '{"type":"text","text":"Build it"}');
    """)
    db.execute("pragma wal_checkpoint(truncate)")
    db.execute("""insert into message values ('b', 'o1', 1772618401000, '{"role":"assistant","modelID":"o","cost":0.25,"tokens":{"input":8,"output":3,"cache":{"read":2,"write":1}}}')""")
    db.commit()
    os._exit(0)
    """#

  private func write(_ scratch: Scratch) throws {
    try scratch.write("work/claude/projects/-w-app/c1.jsonl", Self.claude)
    try scratch.write("work/codex/sessions/2026/03/02/rollout-x1.jsonl", Self.codex + "\n")
    try scratch.write("work/gemini/.gemini/tmp/app/chats/session-g1.jsonl", Self.gemini + "\n")
    try scratch.write("work/gemini/.gemini/tmp/app/.project_root", "/w/app")
    try scratch.write("work/make.py", Self.openCode)
    for (name, folder) in [
      ("CLAUDE_CONFIG_DIR", "claude"), ("CODEX_HOME", "codex"), ("GEMINI_CLI_HOME", "gemini"),
      ("XDG_DATA_HOME", "."),
    ] { scratch.set(name, scratch.path("work/\(folder)")) }
  }

  @Test func `sessions of four agents become chats, once`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      try await scratch.shell(
        "python3 make.py; chat-log import --from-claude --from-codex --from-opencode --from-gemini | jq -c '[.title, .labels.agent]'"
      )
      try await scratch.shell(
        "chat-log export | jq -c 'select(.type == \"message\") | [.role, .text, .model, .usage.inputTokens, .usage.outputTokens, .costUSD, .toolResults[]?.content[].text]'"
      )
      try await scratch.shell(
        "chat-log usage --by tool | jq -c '[.key, .calls, .inputTokens, .outputTokens, .costUSD]'")
      try await scratch.shell("chat-log projects | jq -c .localPath")
      try await scratch.shell("chat-log search 'race in the WAL reader' | jq -r .text")
      try await scratch.shell(
        "touch claude/projects/-w-app/c1.jsonl; chat-log import --from-claude --from-codex; chat-log import --from-gemini gemini/.gemini"
      )
      try scratch.expectGolden("chat-log/from-agents")
    }
  }

  @Test func `a session that grew adds what is new, and its file may go`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      try await scratch.shell("chat-log import --from-claude >/dev/null")
      let rest = #"estId":"r3","message":{"id":"m3","content":[{"type":"text","text":"More."}]}}"#
      try scratch.write("work/claude/projects/-w-app/c1.jsonl", Self.claude + rest + "\n")
      let grown = try await scratch.shell("chat-log import --from-claude | jq -r .title")
      #expect(grown.output == "Why is it slow?\n")
      let texts = "chat-log export | jq -r 'select(.role == \"assistant\") | .text'"
      let expected = "\nA race in the WAL reader.\nMore.\n"
      #expect(try await scratch.shell(texts).output == expected)
      try await scratch.shell("rm claude/projects/-w-app/c1.jsonl")
      let gone = try await scratch.shell("chat-log import --from-claude")
      #expect(gone.statuses == [0] && gone.output == "")
      #expect(try await scratch.shell(texts).output == expected)
    }
  }

  @Test func `a bad file does not end the import, and shows in the status`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      try scratch.write("work/claude/projects/-w-app/b.jsonl", "no\nlines\n")
      try scratch.write("work/opencode/opencode.db", "no database")
      let run = try await scratch.shell("chat-log import --from-claude --from-opencode")
      #expect(run.records("chat").map { $0["title"] } == ["Why is it slow?"])
      #expect(run.records("error").map { $0["code"] } == ["BadInput", "BadInput"])
      #expect(run.statuses == [65])
      #expect(run.errors.contains("b.jsonl' could be read; fix the input\n"))
    }
  }

  @Test func `an agent without sessions does not keep others out`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      scratch.set("CODEX_HOME", scratch.path("nowhere"))
      let run = try await scratch.shell("chat-log import --from-codex --from-gemini")
      #expect(run.records("chat").map { $0["title"] } == ["Rename it"])
      #expect(run.records("error").map { $0["code"] } == ["NotFound"] && run.statuses == [66])
    }
  }

  @Test func `no file of an agent is changed`() async throws {
    try await Scratch.with { scratch in
      try write(scratch)
      let state = """
        find claude codex gemini -type f -printf '%p %s %T@ %m\\n' | sort
        sha256sum opencode/opencode.db
        """
      try await scratch.shell("python3 make.py")
      let before = try await scratch.shell(state)
      try await scratch.shell(
        "chat-log import --from-claude --from-codex --from-opencode --from-gemini >/dev/null")
      #expect(try await scratch.shell(state).output == before.output)
    }
  }
}

/// The script that makes a log with a real llm, where AGENTPIPES_EVAL has it.
private let logMaker = Places.environment["AGENTPIPES_EVAL"].flatMap { folder -> String? in
  let script = "\(folder)/sessions/llm/make_llm_log.py"
  return FileManager.default.fileExists(atPath: script) ? script : nil
}

/// The llm that `scripts/bench chat` installs; nil if it is missing.
private let llm = Scratch.peer("venv-chat", "llm")

@Suite(
  "a log of a real llm",
  .enabled(
    if: logMaker != nil && llm != nil,
    "AGENTPIPES_EVAL names no script, or .build/venv-chat is missing"))
struct RealLLMTests {
  @Test func `the whole log is imported`() async throws {
    try await Scratch.with { scratch in
      let script = try #require(logMaker)
      let program = try #require(llm)
      let made = try await scratch.shell("python3 '\(script)' --llm '\(program)' . >/dev/null")
      #expect(made.statuses == [0])
      try await scratch.shell("chat-log import --from-llm home/logs.db >/dev/null")
      let same = try await scratch.shell(
        """
        chat-log export >all; jq -r .input_tokens,.output_tokens,.rows.threads expected.json
        chat-log usage --by model | jq -r .inputTokens,.outputTokens; grep -c '"type":"chat"' all
        """)
      let numbers = same.output.split(separator: "\n").map(String.init)
      #expect(numbers.prefix(3) == numbers.suffix(3))
      let whole = try await scratch.shell(
        "jq -c 'select(.toolResults) | [.toolResults[].id, .toolResults[].content[].text]' all; jq -c '.attachments[]? | .bytes' all; jq -r 'select(.system) | .system' all; jq -r 'select(.role == \"user\") | .text' all | grep -c fragment"
      )
      let lines = whole.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 4 && lines[0].hasPrefix(#"["call_1","0."#))
      #expect(lines.suffix(3) == ["69", "Be brief.", "2"])
    }
  }
}
