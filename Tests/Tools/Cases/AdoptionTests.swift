import Foundation
import TestSupport
import Testing

/// Runs of `agent-adopt` that end, its positions, and the files of other programs.
@Suite("agent-adopt once")
struct AdoptionTests {
  private static let session = "3f9a0000-0000-4000-8000-000000000001"
  private static let agent = "claude-3f9a0000-0000-4000-8000-000000000001"
  /// Makes a database whose last message is only in its write-ahead log, as while OpenCode runs.
  private static let openCode = #"""
    import json, os, sqlite3, sys, time
    folder = os.environ["HOME"] + "/.local/share/opencode"
    os.makedirs(folder, exist_ok=True)
    now = int(time.time() * 1000)
    db = sqlite3.connect(folder + "/opencode.db")
    db.execute("pragma journal_mode = wal")
    if sys.argv[1] == "make":
        db.executescript(f"""
        create table session (id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer);
        create table message (id text, session_id text, time_created integer, data text);
        create table part (id text, message_id text, session_id text, data text);
        insert into session values ('o1', null, '/w/app', 'Build', '1.18.31', {now}, {now});
        insert into message values ('a', 'o1', {now}, '{{"role":"user"}}');
        insert into part values ('p1', 'a', 'o1', '{{"type":"text","text":"the secret words"}}');
        """)
        db.execute("pragma wal_checkpoint(truncate)")
    data = {"role": "assistant", "modelID": "o", "cost": 0.25, "finish": "stop",
            "tokens": {"input": 8, "output": 3, "cache": {"read": 2, "write": 1}}}
    db.execute("insert into message values (?, 'o1', ?, ?)", ("b" + str(now), now + 1, json.dumps(data)))
    db.commit()
    if sys.argv[-1] == "close":
        db.close()
    os._exit(0)
    """#

  /// The calls, input tokens, output tokens and costs that the log counts.
  private static let usage =
    "agent-stat usage --by session | jq -c '[.key, .calls, .inputTokens, .outputTokens, .costUSD]'"
  private static let events = "stream-tail | jq -r .id | wc -l"

  @Test func `a second run repeats nothing, and a grown session adds what is new`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "tool a", "result a", "say b")
      let first = try await scratch.shell("agent-adopt")
      #expect(first.records.map(\.id) == [Self.agent] && first.errors.isEmpty)
      #expect(first.records.map { $0["labels.process"] } == ["certain"])
      #expect(
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",2,35,10,null]\n")
      let count = try await scratch.shell(Self.events).output
      try await scratch.shell("agent-adopt")
      #expect(try await scratch.shell(Self.events).output == count)
      try await standIn.run("part {\"type\":\"user\",")
      try await scratch.shell("agent-adopt")
      #expect(try await scratch.shell(Self.events).output == count)
      try await standIn.run("part \"sessionId\":\"\(Self.session)\"}", "say c")
      try await scratch.shell("agent-adopt")
      // The answer on the line that was not ended counts, too.
      #expect(
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",3,55,16,null]\n")
      try await standIn.run("say d")
      try await scratch.shell("agent-adopt")
      #expect(
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",4,75,22,null]\n")
      await standIn.end()
      try await scratch.until("it has ended") {
        try await scratch.shell("agent-adopt; agent-stat agents --status finished").output
          .contains(Self.agent)
      }
    }
  }

  @Test func `events that could not be stored are created again`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/data/events.db", "no database")
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "tool a", "result a", "say b")
      let failed = try await scratch.shell("agent-adopt")
      #expect(failed.statuses == [74] && failed.errors.contains("sessions cannot be stored"))
      let follower = try scratch.starting("agent-adopt", "--follow", input: nil)
      try await scratch.until("it cannot store events") {
        follower.errors.contains("cannot store events")
      }
      try await scratch.shell("rm ../home/data/events.db*")
      try await standIn.run("tool c")
      try await scratch.until("all events are there") {
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",3,50,14,null]\n"
      }
      follower.child.signal(SIGTERM)
      await follower.ended()
      await standIn.end()
    }
  }

  @Test func `lost positions repeat nothing`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "tool a", "result a", "say b")
      try await scratch.shell("agent-adopt")
      let count = try await scratch.shell(Self.events).output
      try await scratch.shell("rm -r ../home/state/adopted; agent-adopt")
      #expect(try await scratch.shell(Self.events).output == count)
      await standIn.end()
    }
  }

  @Test func `calls that a resumed session copied count once, also after a restart`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "say a", "say b")
      try await scratch.shell("agent-adopt")
      // Old versions wrote the copies under the id of the new session.
      try await scratch.shell(
        "cd ../user/.claude/projects/*; sed s/\(Self.session)/resumed/ \(Self.session).jsonl > resumed.jsonl"
      )
      try await scratch.shell("agent-adopt")
      #expect(
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",2,40,12,null]\n")
      await standIn.end()
    }
  }

  @Test func `events that are not stored are a failure, and come with the next run`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "tool a", "result a", "say b")
      let failed = try await scratch.shell("mkdir -p ../home/data/events.db; agent-adopt")
      #expect(failed.statuses == [74] && failed.records("agent").isEmpty)
      #expect(
        failed.errors.hasSuffix(
          "agent-adopt: the events of sessions cannot be stored; check free space and the path\n"),
        "\(failed.errors)")
      let second = try await scratch.shell("rmdir ../home/data/events.db; agent-adopt")
      #expect(second.statuses == [0] && second.errors.isEmpty)
      #expect(
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",2,35,10,null]\n")
      await standIn.end()
    }
  }

  @Test func `what agent-run reports is not reported again, and what follows is`() async throws {
    let write = #"""
      mkdir -p ~/.claude/projects/-w
      echo '{"type":"assistant","sessionId":"s1","cwd":"/w","timestamp":"'$(date -u +%FT%T.%3NZ)'","requestId":"r'$1'","message":{"id":"'$1'","model":"m","content":[],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":2}}}' >> ~/.claude/projects/-w/s1.jsonl

      """#
    let print = #"""
      echo '{"type":"system","subtype":"init","session_id":"s1","model":"m"}'
      echo '{"type":"assistant","session_id":"s1","message":{"id":"a","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":2}}}'
      echo '{"type":"result","subtype":"success","duration_ms":1,"session_id":"s1","total_cost_usd":0.5}'

      """#
    try await Scratch.with { scratch in
      try scratch.write("work/write.sh", write)
      try scratch.write("work/both.sh", write + print)
      try await scratch.shell("agent-run --agent worker -- sh both.sh a")
      let none = try await scratch.shell("agent-adopt")
      #expect(none.output.isEmpty && none.statuses == [0])
      let sums = "agent-stat usage --by session | jq -cs '[length, (map(.inputTokens) | add)]'"
      #expect(try await scratch.shell(sums).output == "[1,10]\n")
      let more = try await scratch.shell("sh write.sh b; agent-adopt")
      #expect(more.records.map(\.id) == ["claude-s1"])
      #expect(try await scratch.shell(sums).output == "[2,20]\n")
      // A second run in the same session, and what a person did before and after it.
      try await scratch.shell(
        "sh write.sh c; agent-run --agent worker -- sh both.sh d; sh write.sh e; agent-adopt")
      #expect(try await scratch.shell(sums).output == "[3,50]\n")
      try await scratch.shell("agent-adopt")
      #expect(try await scratch.shell(sums).output == "[3,50]\n")
    }
  }

  @Test func `a database is read with its write-ahead log`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/make.py", Self.openCode)
      try await scratch.shell("python3 make.py make; agent-adopt")
      #expect(try await scratch.shell(Self.usage).output == "[\"o1\",1,11,3,0.25]\n")
      let follower = try scratch.starting("agent-adopt", "opencode", "--follow", input: nil)
      try await scratch.until("it follows") {
        try await scratch.shell("agent-adopt status opencode | jq .followed").output == "true\n"
      }
      try await scratch.shell("python3 make.py more")
      try await scratch.until("the new call counts") {
        try await scratch.shell(Self.usage).output == "[\"o1\",2,22,6,0.5]\n"
      }
      follower.child.signal(SIGTERM)
      await follower.ended()
    }
  }

  @Test func `a database that is closed is read, and nothing appears beside it`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/make.py", Self.openCode)
      try await scratch.shell("python3 make.py make close")
      let list = "cd; find .local -printf '%p %s %T@ %m %i\\n' | sort"
      let before = try await scratch.shell(list).output
      #expect(before.contains("opencode.db ") && !before.contains("-wal"))
      try await scratch.shell("agent-adopt; chat-log import --from-opencode")
      #expect(try await scratch.shell(Self.usage).output == "[\"o1\",1,11,3,0.25]\n")
      #expect(try await scratch.shell(list).output == before)
      try await scratch.shell("python3 make.py more close; agent-adopt")
      #expect(try await scratch.shell(Self.usage).output == "[\"o1\",2,22,6,0.5]\n")
      #expect(!(try await scratch.shell(list).output.contains("-wal")))
    }
  }

  @Test func `no file of another program is changed or locked`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/make.py", Self.openCode)
      try await scratch.shell("python3 make.py make")
      let claude = try await StandIn(scratch, "claude", Self.session)
      let codex = try await StandIn(scratch, "codex", "01970000-0000-7000-8000-0000000000aa")
      for agent in [claude, codex] { try await agent.run("prompt", "tool a") }
      let state = """
        cd; find .claude .codex .local -type f ! -name '*-shm' -printf '%p %s %T@ %m %i\\n' | sort
        sha256sum .local/share/opencode/opencode.db
        """
      let before = try await scratch.shell(state)
      #expect(try await scratch.shell("agent-adopt").records.count == 3)
      #expect(try await scratch.shell(state).output == before.output)
      let texts = try await scratch.shell("grep -rl 'secret words' ../home")
      #expect(texts.output.isEmpty && texts.statuses == [1])
      await claude.end()
      await codex.end()
    }
  }

  @Test func `the text goes into sealed chats alone, once`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "say b")
      // What an earlier process read is stored, too.
      try await scratch.shell("agent-adopt; agent-adopt --keep; agent-adopt --keep")
      let texts = "chat-log export | jq -r 'select(.type == \"message\") | .text'"
      #expect(
        try await scratch.shell(texts).output == "the secret words\nthe secret words\n")
      #expect(!(try await scratch.shell("stream-tail").output.contains("secret")))
      let follower = try scratch.starting("agent-adopt", "--follow", "--keep", input: nil)
      try await standIn.run("prompt", "say c")
      try await scratch.until("it is stored") {
        try await scratch.shell(texts).output.split(separator: "\n").count == 4
      }
      // The end does not cut the text off.
      try await standIn.run("say d")
      try await scratch.until("it counts") {
        try await scratch.shell(Self.usage).output == "[\"\(Self.session)\",3,60,18,null]\n"
      }
      follower.child.signal(SIGTERM)
      await follower.ended()
      #expect(try await scratch.shell(texts).output.split(separator: "\n").count == 5)
      await standIn.end()
    }
  }

  @Test func `only one process adopts, and the status says so`() async throws {
    try await Scratch.with { scratch in
      let quiet = try await scratch.shell(
        "agent-adopt status claude gemini | jq -c '[.agent, .sessions, .followed]'")
      #expect(quiet.output == "[\"claude\",0,false]\n[\"gemini\",0,false]\n")
      let follower = try scratch.starting("agent-adopt", "--follow", input: nil)
      try await scratch.until("it follows") {
        try await scratch.shell("agent-adopt status claude | jq .followed").output == "true\n"
      }
      let second = try await scratch.shell("agent-adopt")
      #expect(second.statuses == [75])
      #expect(
        second.errors
          == "agent-adopt: another agent-adopt is running; use its results, or end it\n")
      follower.child.signal(SIGTERM)
      #expect(await follower.ended().endings == [.signal(SIGTERM)])
    }
  }

  @Test func `unknown entries and versions show in the status`() async throws {
    try await Scratch.with { scratch in
      let now = ISO8601DateFormatter().string(from: .now)
      try scratch.write(
        "user/.claude/projects/-w/s1.jsonl",
        """
        {"type":"user","sessionId":"s1","cwd":"/w","version":"9.9.9","timestamp":"\(now)","message":{"content":"x"}}
        {"type":"telepathy","sessionId":"s1"}
        {"type":"telepathy","sessionId":"s1"}
        no line

        """)
      try await scratch.shell("agent-adopt")
      let status = try await scratch.shell("agent-adopt status claude").records
      #expect(status.map { $0["unknownEntries.telepathy"] } == ["2"])
      #expect(status.map { $0["unreadable"] } == ["1"])
      #expect((status.first?.value("versions") as? [String]) == ["9.9.9"])
      #expect((status.first?.value("tried") as? [String])?.isEmpty == false)
    }
  }

  @Test func `a session without a process works on, and ends after a long silence`() async throws {
    try await Scratch.with { scratch in
      for (name, age) in [("s1", 300.0), ("s2", 7200.0)] {
        let time = ISO8601DateFormatter().string(from: .now - age)
        let block = #"{"type":"tool_use","id":"t","name":"Bash","input":{}}"#
        try scratch.write(
          "user/.claude/projects/-w/\(name).jsonl",
          #"{"type":"assistant","sessionId":"\#(name)","cwd":"/w","timestamp":"\#(time)","requestId":"r-\#(name)","message":{"id":"\#(name)","model":"m","content":[\#(block)],"usage":{"input_tokens":10,"output_tokens":4}}}"#
            + "\n")
      }
      for _ in 0..<2 {
        try await scratch.shell("agent-adopt")
        let agents = try await scratch.shell("agent-stat agents").records
        #expect(
          Set(agents.map { "\($0.id) \($0.status)" })
            == ["claude-s1 running", "claude-s2 finished"])
      }
    }
  }

  @Test func `what is older than --since is not reported`() async throws {
    try await Scratch.with { scratch in
      let path = try scratch.write(
        "user/.claude/projects/-w/s1.jsonl",
        #"{"type":"user","sessionId":"s1","cwd":"/w","timestamp":"2026-03-01T10:00:00.000Z","message":{"content":"x"}}"#
          + "\n")
      let old = try await scratch.shell("touch -d 2026-03-01 '\(path)'; agent-adopt")
      #expect(old.output.isEmpty && old.statuses == [0])
      try await scratch.shell("agent-adopt --since 36500d")
      let agents = try await scratch.shell("agent-stat agents").records
      #expect(agents.map(\.id) == ["claude-s1"])
    }
  }

  @Test func `a hub gets the events and steers the session`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.leaveForAnotherMachine()
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "say b")
      let follower = try scratch.starting(
        "agent-adopt --follow --hub \(scratch.environment["HUB"] ?? "")", input: nil)
      try await scratch.until("the hub knows it") {
        try await scratch.shell("agent-stat agents --hub $HUB").records.map {
          "\($0.id) \($0["usage.inputTokens"])"
        } == ["\(Self.agent) 20"]
      }
      try await scratch.until("the hub pauses it") {
        try await scratch.shell(
          "agent-control pause agent claude-3f9a --reason r --hub $HUB"
        ).statuses == [0]
      }
      try await scratch.shell("agent-control resume agent claude-3f9a --reason r --hub $HUB")
      let here = try await scratch.shell("ls ../other/data 2>/dev/null")
      #expect(!here.output.contains("events.db"))
      follower.child.signal(SIGTERM)
      await follower.ended()
      await standIn.end()
    }
  }
}
