import CodingAgents
import Core
import Testing

struct GeminiTranscriptTests {
  private func entries(_ lines: String...) throws -> [SessionEntry] {
    let parser = GeminiTranscript(
      SessionKey(.gemini, "file"), parent: "p", folder: "/w", limits: .chats)
    return try Transcript.entries(of: lines, parser)
  }

  private let answer = #"""
    {"id":"b","type":"gemini","model":"g","content":"Yes.","thoughts":[{"subject":"S","description":"d"}],"tokens":{"input":10,"output":4,"cached":3,"thoughts":2,"total":16},"toolCalls":[{"id":"t","name":"f","args":{"x":1},"status":"error","result":[{"functionResponse":{"response":{"error":"no"}}}]},{"id":"u","name":"f","args":{},"status":"executing"}]}
    """#

  @Test func `a message that is written again counts once, with its thoughts`() throws {
    let found = try entries(
      #"{"sessionId":"s","startTime":"2026-03-01T10:00:00.000Z"}"#,
      #"{"id":"b","type":"gemini","model":"g","content":"Y"}"#, answer, answer)
    #expect(Transcript.calls(found).keys.map(\.self) == ["s b"])
    #expect(
      Transcript.sum(found)
        == Usage(inputTokens: 10, outputTokens: 6, cacheReadTokens: 3, reasoningTokens: 2))
    #expect(found.allSatisfy { $0.session == SessionKey(.gemini, "s") })
    var facts = SessionFacts()
    (facts.folder, facts.parent) = ("/w", "p")
    #expect(found.first?.content == .facts(facts))
    #expect(
      found.last?.content == .result(SessionResult(call: "t", text: "no", isError: true)))
  }

  @Test func `changes and rewinds are told`() throws {
    let found = try entries(
      #"{"sessionId":"s"}"#, #"{"$rewindTo":"b"}"#, #"{"$set":{"summary":"Sum"}}"#,
      #"{"$set":{"messages":[{"id":"a","type":"user","content":[{"text":"Hi"}]}]}}"#,
      #"{"id":"c","type":"info","content":"x"}"#, #"{"id":"d","type":"poem","content":"x"}"#)
    var title = SessionFacts()
    (title.title, title.naming) = ("Sum", .model)
    #expect(
      found.dropFirst().map(\.content) == [
        .rewind(.before("s b")), .facts(title), .rewind(.only(["s a"])),
        .prompt(SessionPrompt(id: "s a", text: "Hi")), .unknown("poem"),
      ])
  }

  @Test func `an object of an older version is one line`() throws {
    let found = try entries(
      #"{"sessionId":"s","messages":[{"id":"a","type":"user","content":"Hi"},\#(answer)]}"#)
    #expect(Transcript.prompts(found) == ["Hi"])
    #expect(Transcript.sum(found).inputTokens == 10)
  }
}
