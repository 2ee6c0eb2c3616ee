import Testing

@Suite("chat-log import --from-llm")
struct ChatLLMTests {
  /// The tables of llm 0.36, as far as they tell of chats.
  private static let tables = """
    CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
    CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT,
      prompt_json TEXT, options_json TEXT, response TEXT, response_json TEXT,
      conversation_id TEXT REFERENCES conversations(id), duration_ms INTEGER, datetime_utc TEXT,
      input_tokens INTEGER, output_tokens INTEGER, token_details TEXT, schema_id TEXT,
      resolved_model TEXT, reasoning TEXT);
    CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);
    CREATE TABLE fragments (id INTEGER PRIMARY KEY, hash TEXT, content TEXT, datetime_utc TEXT,
      source TEXT);
    CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT REFERENCES messages(hash),
      role TEXT, provider_metadata TEXT);
    CREATE TABLE parts (id INTEGER PRIMARY KEY, message_hash TEXT REFERENCES messages(hash),
      position INTEGER, type TEXT, tool_name TEXT, text TEXT, payload TEXT);
    CREATE TABLE part_attachments (part_id INTEGER, attachment_id TEXT, "order" INTEGER);
    CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, tip_message_hash TEXT,
      forked_from TEXT REFERENCES threads(id), datetime_utc TEXT);
    CREATE TABLE turns (id TEXT PRIMARY KEY, thread_id TEXT REFERENCES threads(id),
      parent_message_hash TEXT, tip_message_hash TEXT, model TEXT, resolved_model TEXT,
      options_json TEXT, schema_id TEXT, input_tokens INTEGER, output_tokens INTEGER,
      token_details TEXT, duration_ms INTEGER, datetime_utc TEXT, response_json TEXT);
    """

  /// A conversation of the older tables that goes on in the newer ones, a thread with the same
  /// beginning, a fork, and a tool that was called.
  private static let rows = #"""
    INSERT INTO conversations VALUES ('c1', 'Old', 'm');
    INSERT INTO responses (id, model, prompt, response, conversation_id, datetime_utc, input_tokens,
      output_tokens) VALUES ('r1', 'm', 'first', 'one', 'c1', '2026-01-01T10:00:00', 1, 1);
    INSERT INTO attachments VALUES ('a1', 'image/png', NULL, NULL, x'00ff');
    INSERT INTO fragments (id, content) VALUES (1, 'Note.');
    INSERT INTO messages (hash, parent_hash, role) VALUES ('h1', NULL, 'user'),
      ('h2', 'h1', 'assistant'), ('h3', 'h2', 'user'), ('h4', 'h3', 'assistant'),
      ('h5', 'h2', 'user'), ('h6', 'h5', 'assistant'), ('h7', NULL, 'system'), ('h8', 'h7', 'user'),
      ('h9', 'h8', 'assistant'), ('h10', 'h9', 'tool'), ('h11', 'h10', 'assistant');
    INSERT INTO parts (id, message_hash, position, type, text, payload) VALUES
      (1, 'h1', 0, 'text', 'first', NULL), (2, 'h2', 0, 'text', 'one', NULL),
      (3, 'h3', 0, 'text', NULL, '{"text_ref": [{"fragment": 1}, {"literal": " second"}]}'),
      (4, 'h4', 0, 'text', 'two', NULL), (5, 'h5', 0, 'text', 'fork', NULL),
      (6, 'h6', 0, 'text', 'forked', NULL), (7, 'h7', 0, 'text', 'Be brief.', NULL),
      (8, 'h8', 0, 'text', 'which', NULL),
      (9, 'h8', 1, 'attachment', NULL, '{"attachment": {"id": "a1"}}'),
      (10, 'h9', 0, 'reasoning', 'hm', NULL),
      (11, 'h9', 1, 'tool_call', NULL,
        '{"name": "f", "arguments": {"an_x": 1}, "tool_call_id": "t"}'),
      (12, 'h10', 0, 'tool_result', NULL, '{"name": "f", "output": "0.36", "tool_call_id": "t"}'),
      (13, 'h11', 0, 'text', 'it is 0.36', NULL);
    INSERT INTO part_attachments VALUES (9, 'a1', 0);
    INSERT INTO threads VALUES ('c1', 'Old', 'h4', NULL, '2026-02-01 10:00:00.5+00:00'),
      ('t2', 'Same', 'h2', NULL, '2026-02-02 10:00:00.5+00:00'),
      ('t3', NULL, 'h6', 'c1', '2026-02-03 10:00:00.5+00:00'),
      ('t4', 'Tool', 'h11', NULL, '2026-02-04 10:00:00.5+00:00'),
      ('t5', 'No call', 'h3', NULL, '2026-02-05 10:00:00.5+00:00');
    INSERT INTO turns (id, thread_id, parent_message_hash, tip_message_hash, model, input_tokens,
      output_tokens, token_details, duration_ms, datetime_utc) VALUES
      ('u2', 'c1', 'h3', 'h4', 'm', 10, 2, '{"prompt_tokens_details": {"cached_tokens": 8}}', 90,
        '2026-02-01T10:00:00.123456+00:00'),
      ('u3', 't2', 'h1', 'h2', 'm', 5, 1, NULL, 90, '2026-02-02T10:00:00.123456+00:00'),
      ('u4', 't3', 'h5', 'h6', 'm', 6, 1, NULL, 90, '2026-02-03T10:00:00.123456+00:00'),
      ('u5', 't4', 'h8', 'h9', 'm', 7, 1, NULL, 90, '2026-02-04T10:00:00.123456+00:00'),
      ('u6', 't4', 'h10', 'h11', 'm', 8, 1, NULL, 90, '2026-02-04T10:00:00.213456+00:00');
    """#

  private func made(_ sql: String, in scratch: Scratch) async throws {
    try scratch.write(
      "work/make.py",
      "import sqlite3\nsqlite3.connect('logs.db').executescript(r'''\(Self.tables)\(sql)''')\n")
    try await scratch.shell("rm -f logs.db; python3 make.py")
  }

  @Test func `both generations of a log come in once, whole`() async throws {
    try await Scratch.with { scratch in
      try await made(Self.rows, in: scratch)
      let first = try await scratch.shell("chat-log import --from-llm logs.db | jq -r .title")
      #expect(first.output == "No call\nTool\nfirst\nSame\nOld\n")
      #expect(first.errors == "")
      let all = try await scratch.shell(
        """
        chat-log export | jq -c 'if .type == "chat" then [.title, .system] else [.role,
          .text + ([.toolResults[]?.content[].text] | add // ""), .model, .usage.inputTokens,
          .costUSD, .reasoning, (.toolCalls // [] | map(.arguments)),
          (.attachments // [] | map(.data))] end | map(. // "-")'
        """)
      #expect(
        all.output == """
          ["Old","-"]
          ["user","first","-","-","-","-",[],[]]
          ["assistant","one","m",1,"-","-",[],[]]
          ["user","Note. second","-","-","-","-",[],[]]
          ["assistant","two","m",10,"-","-",[],[]]
          ["Same","-"]
          ["user","first","-","-","-","-",[],[]]
          ["assistant","one","m",5,"-","-",[],[]]
          ["first","-"]
          ["user","first","-","-","-","-",[],[]]
          ["assistant","one","-","-",0,"-",[],[]]
          ["user","fork","-","-","-","-",[],[]]
          ["assistant","forked","m",6,"-","-",[],[]]
          ["Tool","Be brief."]
          ["user","which","-","-","-","-",[],["AP8="]]
          ["assistant","","m",7,"-","hm",[{"an_x":1}],[]]
          ["tool","0.36","-","-","-","-",[],[]]
          ["assistant","it is 0.36","m",8,"-","-",[],[]]
          ["No call","-"]
          ["user","first","-","-","-","-",[],[]]
          ["assistant","one","-","-",0,"-",[],[]]
          ["user","Note. second","-","-","-","-",[],[]]

          """)
      let used = try await scratch.shell(
        "chat-log usage --by model | jq -c '[.key, .calls, .inputTokens, .cacheReadTokens, .costUSD]'"
      )
      #expect(used.output == "[\"m\",6,37,8,null]\n")
      let again = try await scratch.shell("chat-log import --from-llm logs.db")
      #expect(again.output == "" && again.statuses == [0])
    }
  }

  @Test(arguments: [
    (
      "INSERT INTO threads VALUES ('t', 'Empty', NULL, NULL, '2026-02-01 10:00:00+00:00')",
      "no prompt or answer in 'logs.db' could be read, though there are rows in 'threads'"
    ),
    (
      "CREATE TABLE exchanges (id TEXT); INSERT INTO exchanges VALUES ('e')",
      "no prompt or answer in 'logs.db' could be read, though there are rows in 'exchanges'"
    ),
    (
      "INSERT INTO turns (id, tip_message_hash) VALUES ('u', 'h')",
      "the message 'h' in 'logs.db' is missing or refers to itself"
    ),
    (
      """
      INSERT INTO messages VALUES ('h', 'h', 'user', NULL);
      INSERT INTO turns (id, parent_message_hash) VALUES ('u', 'h')
      """, "the message 'h' in 'logs.db' is missing or refers to itself"
    ),
  ])
  func `rows of which none is understood are a failure`(sql: String, sentence: String)
    async throws
  {
    try await Scratch.with { scratch in
      try await made(sql, in: scratch)
      let run = try await scratch.shell("chat-log import --from-llm logs.db")
      #expect(run.errors == "chat-log: \(sentence); fix the input\n")
      #expect(run.statuses == [65] && run.records.map { $0["code"] } == ["BadInput"])
    }
  }

  @Test func `a log that is a pipe, or has one beside it, is refused`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("mkfifo pipe.db; touch other.db; mkfifo other.db-journal; mkdir a.db")
      for name in ["pipe.db", "other.db", "a.db", "/dev/zero"] {
        try await scratch.shell("chat-log import --from-llm \(name)")
      }
      try scratch.expectGolden("chat-log/llm-pipes")
    }
  }

  @Test func `views are not read, because they need not end`() async throws {
    try await Scratch.with { scratch in
      let endless =
        "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, "
      try scratch.write(
        "work/make.py",
        """
        import sqlite3
        sqlite3.connect("logs.db").executescript('''
        CREATE VIEW conversations \(endless) 'c' AS name FROM n;
        CREATE VIEW responses \(endless) 'p' AS prompt, 'c' AS conversation_id FROM n;
        CREATE TABLE fragments (id INTEGER);''')
        """)
      try await scratch.shell("python3 make.py")
      let run = try await scratch.shell("chat-log import --from-llm logs.db")
      #expect(run.errors == "chat-log: 'logs.db' is not a log of llm; fix the input\n")
      #expect(run.statuses == [65])
    }
  }

  /// Replaces the table of responses by twelve levels of pages, each of which contains the next one
  /// fifty times.
  private static let loop = """
    import sqlite3, struct
    size = 4096
    base = sqlite3.connect("logs.db")
    base.execute("INSERT INTO responses (id, prompt) VALUES ('r', 'p')")
    base.commit()
    root, = base.execute("SELECT rootpage FROM sqlite_master WHERE name = 'responses'").fetchone()
    base.close()
    data = bytearray(open("logs.db", "rb").read())
    count = len(data) // size
    data += data[(root - 1) * size:root * size]
    child = count + 1
    for level in range(12):
        page = bytearray(size)
        cells = [struct.pack(">IB", child, 1)] * 50
        struct.pack_into(">BHHHBI", page, 0, 5, 0, len(cells), size - 5 * len(cells), 0, child)
        for index, cell in enumerate(cells):
            at = size - 5 * (index + 1)
            page[at:at + 5] = cell
            struct.pack_into(">H", page, 12 + 2 * index, at)
        data += page
        child += 1
    data[(root - 1) * size:root * size] = data[-size:]
    struct.pack_into(">I", data, 28, len(data) // size)
    open("logs.db", "wb").write(data)
    """

  @Test func `a table that contains itself has an end`() async throws {
    try await Scratch.with { scratch in
      try await made("", in: scratch)
      try scratch.write("work/loop.py", Self.loop)
      try await scratch.shell("python3 loop.py")
      let run = try await scratch.shell("chat-log import --from-llm logs.db")
      #expect(
        run.errors
          == "chat-log: 'logs.db' cannot be read as a log of llm: it has a table without end; "
          + "fix the input\n")
      #expect(run.statuses == [65])
    }
  }

  @Test func `a log without any row is no failure`() async throws {
    try await Scratch.with { scratch in
      try await made("INSERT INTO fragments (id, content) VALUES (1, 'x')", in: scratch)
      let run = try await scratch.shell("chat-log import --from-llm logs.db")
      #expect(run.output == "" && run.errors == "" && run.statuses == [0])
    }
  }
}
