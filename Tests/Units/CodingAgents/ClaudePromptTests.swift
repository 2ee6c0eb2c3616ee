import CodingAgents
import Core
import Testing

/// What a person typed in a text that Claude Code wrote.
struct ClaudePromptTests {
  private static let file = SessionKey(.claude, "s1")

  private func entries(_ lines: String..., limits: SessionLimits = .chats) throws -> [SessionEntry]
  {
    try Transcript.entries(of: lines, ClaudeTranscript(Self.file, limits: limits))
  }

  private func user(_ content: String) -> String {
    #"{"type":"user","sessionId":"s1","message":{"role":"user","content":\#(content)}}"#
  }

  @Test(arguments: [
    (#""Fix it.""#, "Fix it."), (#"" Fix\n it. ""#, " Fix\n it. "),
    (
      #""<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>line 80</command-args>""#,
      "/review line 80"
    ),
    (
      #""<command-message>review</command-message>\n<command-name>/review</command-name>""#,
      "/review"
    ),
    (#""<command-message>a:b</command-message>\n<command-name>a:b</command-name>""#, "/a:b"),
    (
      #""<command-name>/compact</command-name>\n   <command-message>compact</command-message>\n   <command-args>keep </command-args> in mind</command-args>""#,
      "/compact keep </command-args> in mind"
    ),
    (
      #""<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>""#,
      nil
    ),
    (#""<local-command-stdout>Set model</local-command-stdout>""#, nil),
    (#""<bash-input>ls -la</bash-input>""#, "!ls -la"),
    (#""<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>""#, nil),
    (#""<bash-stdout>a</bash-stdout>\nWhy that?""#, "Why that?"),
    (#""<user-memory-input>Use tabs.</user-memory-input>""#, "#Use tabs."),
    (#""<task-notification>\n<task-id>1</task-id>\n</task-notification>""#, nil),
    (
      #""<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>\nGo on.""#,
      "Go on."
    ),
    (#""<system-reminder> is a tag, is it not?""#, "<system-reminder> is a tag, is it not?"),
    (#""<command-line> options are ignored""#, "<command-line> options are ignored"),
    (#""<p>A paragraph</p>""#, "<p>A paragraph</p>"),
    (#"[{"type":"text","text":"[Request interrupted by user]"}]"#, nil),
    (#"[{"type":"text","text":"[Request interrupted by user for tool use]\nDo B."}]"#, "Do B."),
    (
      #"[{"type":"text","text":"[Request interrupted by user]"},{"type":"text","text":"Do B."}]"#,
      "Do B."
    ),
  ])
  func `the words of a person are a prompt`(content: String, prompt: String?) throws {
    let found = try entries(user(content))
    #expect(Transcript.prompts(found) == [prompt].compactMap(\.self))
    #expect(found.contains { $0.content == .turn(.interrupted) } == content.contains("interrupted"))
    #expect(Transcript.unknown(found) == [])
  }

  @Test func `a command that is a line of the system is a prompt if a person added words`() throws {
    let line = { (text: String) in
      #"{"type":"system","subtype":"local_command","content":"\#(text)"}"#
    }
    let found = try entries(
      line("<command-name>/rename</command-name><command-args>The parser</command-args>"),
      line("<command-name>/cost</command-name><command-args></command-args>"),
      line("<local-command-stdout>Renamed</local-command-stdout>"))
    #expect(Transcript.prompts(found) == ["/rename The parser"])
  }

  // MARK: The queue

  private func operation(_ operation: String, _ content: String? = nil, at second: Int) -> String {
    let text = content.map { #","content":"\#($0)""# } ?? ""
    return
      #"{"type":"queue-operation","operation":"\#(operation)","sessionId":"s1","timestamp":"2026-03-01T10:00:0\#(second).000Z"\#(text)}"#
  }

  private func attachment(_ members: String) -> String {
    #"{"type":"attachment","attachment":{"type":"queued_command",\#(members)}}"#
  }

  private let answer = #"{"type":"assistant","message":{"id":"m","model":"x","content":[]}}"#

  @Test func `a queued prompt is there once`() throws {
    let asPrompt = try entries(
      operation("enqueue", "One.", at: 1), operation("dequeue", at: 2), user(#""One.""#), answer)
    #expect(Transcript.prompts(asPrompt) == ["One."])
    // The program may add to the text.
    let changed = try entries(
      operation("enqueue", "One.", at: 1), operation("dequeue", at: 2), user(#""One, indeed.""#),
      answer)
    #expect(Transcript.prompts(changed) == ["One, indeed."])
    let attached = try entries(
      operation("enqueue", "One.", at: 1), operation("enqueue", "ls", at: 2),
      operation("remove", at: 3), operation("remove", at: 3),
      attachment(#""commandMode":"prompt","prompt":"One.""#),
      attachment(#""commandMode":"bash","prompt":"ls""#), answer)
    #expect(Transcript.prompts(attached) == ["One.", "!ls"])
    let note = "<task-notification>x</task-notification>"
    let noted = try entries(
      operation("enqueue", note, at: 1), operation("enqueue", "/compact", at: 2),
      operation("dequeue", at: 3), operation("dequeue", at: 3),
      attachment(#""commandMode":"task-notification","prompt":"\#(note)""#),
      attachment(#""isMeta":true,"prompt":"x""#), answer)
    #expect(Transcript.prompts(noted) == [])
  }

  @Test func `a prompt that left the queue alone is there, at its time and before the answer`()
    throws
  {
    let found = try entries(
      operation("enqueue", "One.", at: 1), operation("enqueue", "Two.", at: 2),
      operation("dequeue", at: 3), answer, operation("popAll", at: 4), answer)
    #expect(Transcript.prompts(found) == ["One."])
    #expect(found.first?.at == Timestamp(iso8601: "2026-03-01T10:00:01.000Z"))
    let silent = try entries(
      operation("enqueue", "One.", at: 1), operation("dequeue", at: 3), answer, limits: .noText)
    #expect(Transcript.prompts(silent) == [""])
  }

  @Test func `a picture that was queued is kept, and new forms are counted`() throws {
    let found = try entries(
      attachment(
        #""prompt":[{"type":"text","text":"See."},{"type":"image","source":{"media_type":"image/png","data":"aGVsbG8="}}]"#
      ),
      #"{"type":"attachment","attachment":{"type":"todo_reminder"}}"#,
      #"{"type":"attachment","attachment":{"type":"hook_something"}}"#,
      #"{"type":"attachment","attachment":{"type":"seance"}}"#, operation("juggle", at: 1))
    let prompts = found.compactMap { entry in
      if case .prompt(let prompt) = entry.content { prompt } else { nil }
    }
    #expect(
      prompts == [
        SessionPrompt(
          text: "See.", files: [SessionFile(contentType: "image/png", data: "aGVsbG8=")])
      ])
    #expect(Transcript.unknown(found) == ["attachment/seance", "queue-operation/juggle"])
  }
}
