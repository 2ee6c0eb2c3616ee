import Foundation
import TestSupport
import Testing

@Suite("chat-log")
struct ChatLogTests {
  private static let id = "0198f3a1-7b3c-7def-8123-4567890000"

  /// Two chats of a project, one with two answers to a prompt and a file.
  private static let records = [
    #"{"id":"\#(id)01","lastUpdatedAt":"2026-02-25T10:00:00.000Z","localPath":"/home/ann/work","name":"work","type":"project"}"#,
    #"{"createdAt":"2026-02-25T09:00:00.000Z","id":"\#(id)02","lastUpdatedAt":"2026-02-25T10:00:00.000Z","projectId":"\#(id)01","system":"Be brief.","title":"On logs","type":"chat"}"#,
    #"{"attachments":[{"bytes":3,"contentType":"text/plain","data":"YWJj","name":"notes.txt","sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}],"chatId":"\#(id)02","createdAt":"2026-02-25T09:00:00.000Z","id":"\#(id)03","role":"user","text":"What is a write-ahead log?","type":"message"}"#,
    #"{"chatId":"\#(id)02","complete":true,"costUSD":0.5,"createdAt":"2026-02-25T09:00:01.000Z","groupId":"g","id":"\#(id)04","model":"m-1","role":"assistant","text":"A *journal*, Élan.","type":"message","usage":{"cacheReadTokens":0,"cacheWriteTokens":0,"inputTokens":5,"outputTokens":7}}"#,
    #"{"chatId":"\#(id)02","complete":true,"createdAt":"2026-02-25T09:00:01.000Z","groupId":"g","id":"\#(id)05","model":"m-2","role":"assistant","text":"- a log\n- written first\u001b[2J","type":"message"}"#,
    #"{"createdAt":"2026-02-25T09:30:00.000Z","id":"\#(id)06","lastUpdatedAt":"2026-02-25T09:30:01.000Z","title":"Other","type":"chat"}"#,
    #"{"chatId":"\#(id)06","createdAt":"2026-02-25T09:30:00.000Z","id":"\#(id)07","role":"user","text":"Checkpoint the log?","type":"message"}"#,
    #"{"chatId":"\#(id)06","complete":false,"createdAt":"2026-02-25T09:30:01.000Z","id":"\#(id)08","role":"assistant","text":"It is","type":"message"}"#,
  ].joined(separator: "\n")

  @Test func `chats come in once, are listed, shown and searched`() async throws {
    try await Scratch.with { scratch in
      for line in [
        "chat-log list", "chat-log projects", "chat-log search x", "chat-log export",
      ] { try await scratch.shell(line) }
      try await scratch.shell("ls ../home")
      try await scratch.shell("chat-log import", input: Self.records)
      try await scratch.shell("chat-log import -", input: Self.records)
      for line in [
        "chat-log projects", "chat-log list", "chat-log list --project work",
        "chat-log list --project /home/ann/work", "chat-log list --project nothing",
        "chat-log show 000002", "chat-log show 000002 --limit 2",
        "chat-log show 000002 --cursor 2 --limit 2", "chat-log show 000006 --cursor 9",
        "chat-log search 'LOG check'", "chat-log search log --limit 1", "chat-log search elan",
        "chat-log search '\"ahead log\"'", "chat-log search 'og'",
      ] { try await scratch.shell(line) }
      try scratch.expectGolden("chat-log/read")
    }
  }

  @Test func `a search looks among the messages of a time, a role, a model and a project`()
    async throws
  {
    try await Scratch.with { scratch in
      let none = try await scratch.shell("chat-log show")
      #expect(none.statuses == [66] && none.errors.contains("begin one with 'chat-send'"))
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      func found(_ options: String) async throws -> [String] {
        let run = try await scratch.shell("chat-log search \(options)")
        #expect(run.statuses == [0], "\(run.errors)")
        return run.records("message").map { String($0["id"].suffix(2)) }
      }
      #expect(try await found("log") == ["07", "05", "03"])
      #expect(try await found("log --since 2026-02-25T09:00:01Z") == ["07", "05"])
      #expect(try await found("log --until 2026-02-25T09:00:01.000Z") == ["05", "03"])
      #expect(try await found("log --role user") == ["07", "03"])
      #expect(try await found("log --role user --limit 1 --until 2026-02-25T09:10:00Z") == ["03"])
      #expect(try await found("log --model M-") == ["05"])
      #expect(try await found("log --model m-1") == [])
      #expect(try await found("log --project work") == ["05", "03"])
      #expect(try await found("log --project work --role assistant --limit 1") == ["05"])
      for (wrong, status) in [
        ("--role nobody", 64 as Int32), ("--since 1h --until 2h", 64), ("--model ''", 64),
        ("--project nothing", 66),
      ] {
        #expect(try await scratch.shell("chat-log search log \(wrong)").statuses == [status])
      }
      let last = try await scratch.shell("chat-log show | jq -r .id | head -1")
      #expect(last.output == "\(Self.id)02\n")
    }
  }

  @Test func `a chat becomes one file, with all answers and the names of what goes with them`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      try await scratch.shell("chat-log choose 000005 >/dev/null")
      for line in [
        "chat-log show 000002 | export-md --into notes", "sed /^exportDigest/d notes/*/*",
        "chat-log show 000002 --limit 1 | export-md --into part",
        "sed /^exportDigest/d part/*/*",
        "chat-log export | export-md --into all | jq -r 'select(.type == \"file\").path'",
        "sed /^exportDigest/d all/project/*",
      ] { try await scratch.shell(line) }
      try scratch.expectGolden("chat-log/files-of-chats")
    }
  }

  @Test func `text for people is a table, and a chat its Markdown`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import --text", input: Self.records)
      for line in [
        "chat-log projects --text", "chat-log list --text", "chat-log show 000002 --text",
        "chat-log search log --text", "chat-log usage --by model --text",
        "chat-log list --text --color always",
        "chat-log list --json -v --timings 2>&1 >/dev/null | sed 's/[0-9.]* s$/<n> s/'",
      ] { try await scratch.shell(line) }
      try scratch.expectGolden("chat-log/text")
    }
  }

  @Test func `files that go with messages are written out, and nothing is overwritten`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      for _ in 0..<2 {
        try await scratch.shell(
          "chat-log show 000002 --attachments-into out | jq -c 'select(.type == \"file\")'")
      }
      try await scratch.shell("echo changed >out/notes.txt")
      try await scratch.shell("chat-log show 000002 --attachments-into out | jq -c .path")
      try await scratch.shell("cd out && head -c 99 *; stat -c '%a %n' *")
      try scratch.expectGolden("chat-log/attachments")
    }
  }

  @Test func `what was exported is the same in an empty home`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      try await scratch.shell("chat-log choose 000005")
      try await scratch.shell("chat-log export >all; chat-log export 000006; wc -l <all")
      try await scratch.shell(
        "export AGENTPIPES_HOME=$PWD/../home2; chat-log import all; chat-log import all; chat-log export | cmp - all && echo same"
      )
      try scratch.expectGolden("chat-log/export")
    }
  }

  @Test func `chats are renamed, removed and sealed anew`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      for line in [
        "chat-log rename 000006 'A better title' | jq -c .title", "chat-log delete 000008 000002",
        "chat-log export | jq -r .id", "chat-log search elan",
        "chat-log delete 000006 000099; chat-log show 000006 | jq -r .id",
        "chat-log rekey | jq -c 'del(.fingerprint)'", "chat-log list | jq -c .title",
        "ls ../home/config | sed 's/-.*\\./-<name>./'; stat -c %a ../home/config/chat-*.key",
        "chat-log projects add . | jq -c '[.name, .localPath]'", "chat-log projects add nowhere",
        "rm ../home/config/*.key; chat-log list 2>&1 | sed 's/chat-[0-9a-f]*.key/<key>/g'",
        "ls ../home/config",
      ] { try await scratch.shell(line) }
      try scratch.expectGolden("chat-log/change")
    }
  }

  @Test func `what answers took is added up, also when they are gone`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log usage")
      let more = #"""
        {"chatId":"\#(Self.id)06","complete":true,"createdAt":"2026-02-26T09:00:00.000Z","id":"\#(Self.id)09","model":"m-2","role":"assistant","text":"x","type":"message","usage":{"inputTokens":100,"outputTokens":10}}
        {"chatId":"\#(Self.id)02","complete":true,"costUSD":0.1,"createdAt":"2026-02-26T09:00:00.000Z","id":"\#(Self.id)10","model":"m-1","role":"assistant","text":"y","type":"message","usage":{"inputTokens":1,"outputTokens":2,"cacheReadTokens":1}}
        """#
      try await scratch.shell("chat-log import >/dev/null", input: Self.records + "\n" + more)
      try await scratch.shell("chat-log delete 000002")
      for line in ["", " --by day", " --by model", " --by project", " --by tool", " --by nobody"] {
        try await scratch.shell("chat-log usage\(line)")
      }
      try await scratch.shell("chat-log usage --since 2026-02-26T23:59:59Z")
      try await scratch.shell("agent-stat usage --by tool; agent-stat usage --by day")
      try scratch.expectGolden("chat-log/usage")
    }
  }

  @Test func `a bad line keeps everything from being changed, others pass`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import", input: Self.records + "\n{\n")
      try await scratch.shell("chat-log import", input: #"{"type":"message","role":"user"}"#)
      try await scratch.shell("chat-log list; chat-log import nowhere; chat-log import .")
      try await scratch.shell(
        "chat-log import",
        input: #"{"type":"strange","n":1}"# + "\n" + #"{"type":"error","code":"Timeout"}"#)
      try scratch.expectGolden("chat-log/bad-lines")
    }
  }

  @Test func `the log of llm comes in once, whole`() async throws {
    try await Scratch.with { scratch in
      let sql = """
        CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
        CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT,
          prompt_json TEXT, options_json TEXT, response TEXT, response_json TEXT,
          conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT, input_tokens INTEGER,
          output_tokens INTEGER, token_details TEXT, schema_id TEXT, resolved_model TEXT);
        CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);
        CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, "order" INTEGER);
        INSERT INTO conversations VALUES ('01h5', 'Hello', 'gpt');
        INSERT INTO responses VALUES ('01h6', 'gpt', 'Hi', 'Be kind', '', '', 'Ho', '', '01h5', 1200,
          '2024-05-06T07:08:09.123456+00:00', 3, 4, NULL, NULL, 'gpt-x');
        INSERT INTO responses VALUES ('01h7', 'gpt', 'Again', NULL, '', '', 'Yes', '', '01h5', NULL,
          '2024-05-06T07:09:09', NULL, NULL, NULL, NULL, NULL);
        INSERT INTO attachments VALUES ('a1', 'image/png', NULL, NULL, x'00ff');
        INSERT INTO prompt_attachments VALUES ('01h6', 'a1', 0);
        """
      try scratch.write(
        "work/make.py", "import sqlite3\nsqlite3.connect('logs.db').executescript('''\(sql)''')\n")
      try await scratch.shell("python3 make.py; chat-log import --from-llm logs.db | jq -c .title")
      try await scratch.shell(
        "chat-log import --from-llm logs.db; chat-log export | jq -c 'del(.id, .chatId)'")
      try await scratch.shell(
        "chat-log import --from-llm make.py; chat-log import --from-llm nowhere")
      try scratch.expectGolden("chat-log/from-llm")
    }
  }

  @Test func `sixteen processes keep all turns of one fresh store`() async throws {
    try await Scratch.with { scratch in
      let importers = try (1...16).map { process in
        let lines = (1...100).map { turn in
          #"{"chatId":"c\#(process)","id":"m\#(process)-\#(turn)","role":"user","text":"turn \#(turn)","type":"message"}"#
        }
        return try scratch.starting("chat-log", "import", input: lines.joined(separator: "\n"))
      }
      for importer in importers {
        let run = await importer.ended()
        #expect(run.endings == [.exit(0)] && run.errors == "")
      }
      let kept = try await scratch.shell("chat-log export").records("message")
      #expect(Set(kept.map(\.id)).count == 1600)
      #expect(try await scratch.shell("chat-log search turn --limit 2000").records.count == 1600)
      #expect(
        try await scratch.shell("ls ../home/config/*.key").output.split(separator: "\n").count == 1)
    }
  }

  @Test func `no word of a chat stands in any file`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"text":"A quicksilver reply."}]"#)
      try await scratch.shell("ceo-plan 'Mention saltpeter' >/dev/null")
      #expect(server.requests.count == 1)
      try await scratch.shell("chat-log import >/dev/null", input: Self.records)
      try await scratch.shell(
        "chat-log rename 000006 Brimstone >/dev/null; chat-log search elan >/dev/null")
      #expect(try await scratch.shell("chat-log search 'quicksilver'").records.count == 1)
      let words = "quicksilver|brimstone|journal|checkpoint|notes.txt|ann/work|on logs"
      let found = try await scratch.shell("grep -rliaE '\(words)' ../home")
      #expect(found.output == "" && found.statuses == [1])
      let told = try await scratch.shell("chat-log export | grep -ciE '\(words)'")
      #expect(told.output == "7\n")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "", "--help", "--version", "show", "show x --limit 0", "show x --cursor -1", "show none",
        "show x --attachments-into ''", "search", "search ''", "search ' - '", "search x --limit 0",
        "projects remove x", "projects add", "import a --from-llm b",
        "import --from-llm b --from-claude", "import a --from-codex --from-claude", "delete",
        "delete none",
        "rename none title", "choose none", "rekey", "export none", "list --bogus",
        "show --help", "import --help",
      ] { try await scratch.shell("chat-log \(options)") }
      try scratch.expectGolden("chat-log/options")
    }
  }
}
