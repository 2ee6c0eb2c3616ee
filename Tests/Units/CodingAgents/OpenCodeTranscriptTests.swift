import CodingAgents
import Core
import TestSupport
import Testing

struct OpenCodeTranscriptTests {
  private func entries(
    _ data: String, type: String? = nil, parts: String...
  ) -> [SessionEntry.Content] {
    let message = OpenCodeTranscript.Message(
      id: "m", sessionId: "s", type: type, created: nil, data: Array(data.utf8),
      parts: parts.map { Array($0.utf8) })
    return OpenCodeTranscript(limits: .chats).entries(of: message).map(\.content)
  }

  private let spent =
    #""cost":0.5,"tokens":{"input":10,"output":4,"reasoning":2,"cache":{"read":3,"write":5}}"#

  private func call(model: String?) -> SessionEntry.Content {
    let usage = Usage(
      inputTokens: 18, outputTokens: 6, cacheReadTokens: 3, cacheWriteTokens: 5, reasoningTokens: 2)
    return .call(SessionCall(id: "m", answer: "m", model: model, usage: usage, costUSD: 0.5))
  }

  @Test func `tokens and cost of a message count, those of its parts do not`() {
    let found = entries(
      #"{"role":"assistant","modelID":"x","finish":"stop",\#(spent)}"#,
      parts: #"{"type":"text","text":"Yes."}"#,
      #"{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"ok"}}"#,
      #"{"type":"step-finish",\#(spent)}"#, #"{"type":"new"}"#, "{")
    var answer = SessionAnswer(id: "m", model: "x")
    (answer.text, answer.stopReason, answer.isWhole) = ("Yes.", "stop", true)
    answer.toolCalls = [SessionToolCall(id: "c", name: "bash", arguments: .object([:]))]
    #expect(
      found == [
        .unreadable, .answer(answer), call(model: "x"),
        .result(SessionResult(call: "c", text: "ok", isError: false)), .unknown("part/new"),
      ])
  }

  @Test func `prompts are the texts that the agent did not add`() {
    let found = entries(
      #"{"role":"user"}"#, parts: #"{"type":"text","text":"Go."}"#,
      #"{"type":"text","text":"added","synthetic":true}"#)
    #expect(found == [.prompt(SessionPrompt(id: "m", text: "Go."))])
  }

  @Test func `messages of version 2 contain their parts`() {
    #expect(
      entries(#"{"text":"Go."}"#, type: "user") == [.prompt(SessionPrompt(id: "m", text: "Go."))])
    let found = entries(
      #"{"model":{"id":"x"},"content":[{"type":"text","text":"Ok."}],\#(spent)}"#, type: "assistant"
    )
    #expect(found.last == call(model: "x"))
    #expect(entries("{}", type: "model-switched") == [])
    #expect(entries("{}", type: "dream") == [.unknown("message/dream")])
  }

  @Test func `an aborted answer says so, and a message of the oldest form has no role`() {
    let found = entries(
      #"{"role":"assistant","error":{"name":"MessageAbortedError","data":{"message":"stop"}}}"#)
    var answer = SessionAnswer(id: "m")
    answer.failure = Failure(
      .interrupted, "MessageAbortedError: stop", kind: "messageAbortedError")
    answer.isWhole = true
    #expect(found == [.answer(answer)])
    #expect(entries("{\(spent)}").last == call(model: nil))
  }
}
