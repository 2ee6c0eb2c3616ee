import Testing

/// Stores of which rows are gone, as after a repair by another program.
@Suite("chat-log, and rows that are missing")
struct ChatDamageTests {
  private static let records = """
    {"createdAt":"2026-02-25T09:00:00.000Z","id":"chat-0001","title":"One","type":"chat"}
    {"chatId":"chat-0001","createdAt":"2026-02-25T09:00:00.000Z","id":"turn-0001","role":"user","text":"Hello there","type":"message"}
    {"createdAt":"2026-02-26T09:00:00.000Z","id":"chat-0002","title":"Two","type":"chat"}
    {"chatId":"chat-0002","createdAt":"2026-02-26T09:00:00.000Z","id":"turn-0002","role":"user","text":"Hello again","type":"message"}
    """

  /// Keeps two chats, then changes the store behind the tool's back.
  private func damage(_ scratch: Scratch, _ sql: String) async throws {
    try await scratch.shell("chat-log import >/dev/null", input: Self.records)
    try scratch.write(
      "work/damage.py",
      """
      import sqlite3
      store = sqlite3.connect("../home/data/store.db")
      print(store.execute("SELECT count(*) FROM chatKey").fetchone()[0])
      store.executescript("\(sql)")

      """)
    try await scratch.shell("python3 damage.py")
  }

  @Test func `sealed rows whose key is named nowhere are a failure, and no other key is made`()
    async throws
  {
    try await Scratch.with { scratch in
      try await damage(scratch, "DELETE FROM chatKey; DELETE FROM chatSpending")
      let store = scratch.path("home/data/store.db")
      for line in [
        "list", "projects", "export", "export chat-0001", "show chat-0001", "search hello", "usage",
        "import", "rekey",
      ] {
        let run = try await scratch.shell("chat-log \(line)", input: Self.records)
        #expect(run.statuses == [74], "\(line)")
        #expect(run.records.map { $0["code"] } == ["StorageFailed"], "\(line)")
        #expect(
          run.errors == """
            chat-log: '\(store)' does not name the key of its encrypted tables \
            'chat', 'turn'; restore the file from a copy

            """, "\(line)")
      }
      #expect(try await scratch.shell("python3 damage.py").output == "0\n")
    }
  }

  @Test func `a file whose row is missing is reported, unless its bytes never were here`()
    async throws
  {
    let file = #""bytes":3,"contentType":"text/plain","sha256":"#
    let said = #"{"type":"message","role":"user","chatId":"chat-0009","text":"Hm","attachments":"#
    let records = """
      \(said)[{"name":"a.txt","data":"b25l",\(file)"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}],"id":"turn-0091"}
      \(said)[{"name":"b.txt",\(file)"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"}],"id":"turn-0092"}
      """
    try await Scratch.with { scratch in
      try await scratch.shell("chat-log import >/dev/null", input: records)
      try await scratch.shell("chat-log rekey")
      let whole = try await scratch.shell("chat-log export")
      #expect(whole.statuses == [0], "\(whole.errors)")
      #expect(
        whole.records("message").map { $0.list("attachments").map { $0["data"] } }
          == [["b25l"], [""]])
      try await damage(scratch, "DELETE FROM attachment")
      for line in ["export chat-0009", "show chat-0009 --attachments-into out"] {
        let run = try await scratch.shell("chat-log \(line)")
        #expect(run.statuses == [74], "\(line)")
        #expect(run.records("message").map(\.id) == ["turn-0091", "turn-0092"], "\(line)")
        #expect(
          run.errors.contains("the row for the file 'a.txt' is missing from the table 'attachment'")
        )
      }
    }
  }

  @Test func `a chat whose row is missing is reported, and its messages are still there`()
    async throws
  {
    try await Scratch.with { scratch in
      try await damage(scratch, "DELETE FROM chat WHERE id = 'chat-0002'")
      let sentence = """
        chat-log: the row for chat 'chat-0002' is missing from \
        '\(scratch.path("home/data/store.db"))'; restore the file from a copy

        """
      for (line, ids) in [
        ("list", ["chat-0001"]), ("export", ["chat-0001", "turn-0001", "turn-0002"]),
        ("export 0002", ["turn-0002"]), ("show chat-0002", ["turn-0002"]),
        ("search hello", ["turn-0002", "turn-0001"]), ("rename chat-0002 New", []),
      ] {
        let run = try await scratch.shell("chat-log \(line)")
        #expect(run.statuses == [74], "\(line)")
        #expect(run.records.filter { $0.type != "error" }.map(\.id) == ids, "\(line)")
        #expect(run.records("error").map { $0["code"] } == ["StorageFailed"], "\(line)")
        #expect(run.errors == sentence, "\(line)")
      }
      #expect(try await scratch.shell("chat-log show chat-0001").statuses == [0])
    }
  }
}
