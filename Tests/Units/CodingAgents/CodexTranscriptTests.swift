import CodingAgents
import Core
import Testing

struct CodexTranscriptTests {
  private func entries(_ lines: [String]) throws -> [SessionEntry] {
    try Transcript.entries(
      of: lines, CodexTranscript(SessionKey(.codex, "file"), limits: .chats))
  }

  private func line(_ type: String, _ payload: String, at milliseconds: Int, ordinal: String? = nil)
    -> String
  {
    let time = Timestamp(milliseconds: 1_770_000_000_000 + Int64(milliseconds)).iso8601
    let number = ordinal.map { ",\"ordinal\":\($0)" } ?? ""
    return "{\"timestamp\":\"\(time)\",\"type\":\"\(type)\",\"payload\":\(payload)\(number)}"
  }

  private func meta(_ id: String, at time: Int, more: String = "", ordinal: String? = nil)
    -> String
  {
    line("session_meta", #"{"id":"\#(id)","cwd":"/w"\#(more)}"#, at: time, ordinal: ordinal)
  }

  private func counts(_ input: Int, _ output: Int) -> String {
    #"{"input_tokens":\#(input),"cached_input_tokens":1,"output_tokens":\#(output)}"#
  }

  private func total(_ input: Int, _ output: Int, at time: Int, ordinal: String? = nil) -> String {
    line(
      "event_msg",
      #"{"type":"token_count","info":{"total_token_usage":\#(counts(input, output)),"last_token_usage":\#(counts(input, output))}}"#,
      at: time, ordinal: ordinal)
  }

  private func record(_ id: String, of thread: String, _ input: Int, _ output: Int, at time: Int)
    -> String
  {
    line(
      "token_usage_record",
      #"{"thread_id":"\#(thread)","response_id":"\#(id)","usage":\#(counts(input, output))}"#,
      at: time)
  }

  private func sum(_ entries: [SessionEntry]) -> [Int] {
    let sum = Transcript.sum(entries)
    return [Transcript.calls(entries).count, sum.inputTokens, sum.outputTokens]
  }

  @Test func `the steps of the total are the calls, and a fall is a new start`() throws {
    let found = try entries([
      meta("t", at: 0), total(100, 10, at: 2000), total(100, 10, at: 2001),
      line("event_msg", #"{"type":"token_count","info":null}"#, at: 2002),
      total(250, 30, at: 3000), total(40, 4, at: 4000),
    ])
    #expect(sum(found) == [3, 290, 34])
  }

  @Test func `records take the place of totals from the first on`() throws {
    let lines = [
      meta("t", at: 0), total(100, 10, at: 2000), record("a", of: "t", 150, 20, at: 3000),
      total(250, 30, at: 3001), record("b", of: "u", 7, 7, at: 3500),
      record("a", of: "t", 150, 20, at: 3600), record("c", of: "t", 50, 5, at: 4000),
      total(300, 35, at: 4001),
    ]
    #expect(sum(try entries(lines)) == [3, 300, 35])
    // The first record may follow the total that has its tokens.
    let late = [
      meta("t", at: 0), total(100, 10, at: 2000), record("a", of: "t", 100, 10, at: 2001),
    ]
    #expect(sum(try entries(late)) == [1, 100, 10])
  }

  @Test(arguments: ["3", "\"3\""])
  func `the lines of a parent are skipped by their numbers`(first: String) throws {
    let found = try entries([
      meta(
        "child", at: 0,
        more: #","parent_thread_id":"t","subagent_history_start_ordinal":\#(first)"#, ordinal: "0"),
      meta("t", at: 0, ordinal: "1"), total(1000, 100, at: 0, ordinal: "2"),
      line("event_msg", #"{"type":"user_message","message":"Check."}"#, at: 9, ordinal: "3"),
      total(1200, 130, at: 20, ordinal: "4"),
    ])
    #expect(sum(found) == [1, 200, 30])
    #expect(Transcript.prompts(found) == ["Check."])
    #expect(found.allSatisfy { $0.session.id == "child" })
  }

  @Test func `without numbers, the lines of a parent are those in one burst`() throws {
    let found = try entries([
      meta("child", at: 0, more: #","forked_from_id":"t""#), meta("t", at: 1),
      line("event_msg", #"{"type":"user_message","message":"Old."}"#, at: 20),
      total(1000, 100, at: 60),
      line("event_msg", #"{"type":"user_message","message":"New."}"#, at: 200),
      total(1000, 100, at: 300), total(1300, 140, at: 2000),
    ])
    #expect(sum(found) == [1, 300, 40])
    #expect(Transcript.prompts(found) == ["New."])
  }

  @Test func `a prompt in both forms is one, in either order`() throws {
    func item(_ text: String, at time: Int) -> String {
      line(
        "response_item",
        #"{"type":"message","role":"user","content":[{"type":"input_text","text":"\#(text)"}]}"#,
        at: time)
    }
    func event(_ text: String, at time: Int) -> String {
      line("event_msg", #"{"type":"user_message","message":"\#(text)"}"#, at: time)
    }
    let found = try entries([
      item("<environment_context>x</environment_context>", at: 0),
      item("# AGENTS.md instructions for /w\\n<INSTRUCTIONS>x</INSTRUCTIONS>", at: 1),
      item("One.", at: 2), event("One.", at: 3),
      event("Two.", at: 4), item("Two.", at: 5), item("Three.", at: 6), event("One.", at: 7),
    ])
    #expect(Transcript.prompts(found) == ["One.", "Two.", "Three.", "One."])
  }

  @Test(arguments: [
    ("<task>Rename it.</task>", "<task>Rename it.</task>"),
    ("# AGENTS.md instructions are too long", "# AGENTS.md instructions are too long"),
    ("# AGENTS.md instructions\\n\\n<INSTRUCTIONS>\\nx\\n</INSTRUCTIONS>", nil),
    ("<environment_context>\\n  <cwd>/w</cwd>\\n</environment_context>", nil),
    ("<turn_aborted>A person interrupted.</turn_aborted>", nil),
    (
      "<user_shell_command>\\n<command>\\nls -la\\n</command>\\n<result>\\na\\n</result>\\n</user_shell_command>",
      "!ls -la"
    ),
    ("<environment_context> is too long, cut it", "<environment_context> is too long, cut it"),
  ])
  func `an element or a heading that a person typed is a prompt`(text: String, prompt: String?)
    throws
  {
    let found = try entries([
      line(
        "response_item",
        #"{"type":"message","role":"user","content":[{"type":"input_text","text":"\#(text)"}]}"#,
        at: 0)
    ])
    #expect(Transcript.prompts(found) == [prompt].compactMap(\.self))
  }

  @Test func `an answer is the items up to its tokens`() throws {
    let found = try entries([
      meta("t", at: 0), line("turn_context", #"{"model":"g"}"#, at: 1),
      line("response_item", #"{"type":"reasoning","summary":[{"text":"Hm."}]}"#, at: 2),
      line(
        "response_item",
        #"{"type":"function_call","name":"shell","arguments":"{\"cmd\":\"ls\"}","call_id":"c"}"#,
        at: 3),
      total(10, 1, at: 2000),
      line(
        "response_item",
        #"{"type":"function_call_output","call_id":"c","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"}"#,
        at: 2001),
      line(
        "response_item",
        #"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}"#,
        at: 2002),
      line("event_msg", #"{"type":"agent_message","message":"Done."}"#, at: 2003),
      line("event_msg", #"{"type":"task_complete"}"#, at: 2004),
    ])
    let answers = found.compactMap { entry in
      if case .answer(let answer) = entry.content { answer } else { nil }
    }
    #expect(answers.map(\.reasoning) == ["Hm.", "", ""])
    #expect(answers[1].toolCalls.map(\.arguments) == [.object(["cmd": .string("ls")])])
    #expect(answers[0].id == answers[1].id && answers[1].id != answers[2].id)
    #expect(answers[2].text == "Done." && answers[2].model == "g")
    #expect(Transcript.calls(found).values.map(\.model) == ["g"])
    #expect(
      found.contains {
        $0.content == .result(SessionResult(call: "c", text: "no", isError: true))
      })
    #expect(found.last?.content == .turn(.ended))
  }
}
