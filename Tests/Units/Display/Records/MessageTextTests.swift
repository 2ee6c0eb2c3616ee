import Core
import Testing

@testable import Display

/// A message by itself: nothing that goes with it is left out.
@Suite struct MessageTextTests {
  private func text(_ message: Message, width: Int? = 50) -> String {
    RecordText(width: width).text(message)
  }

  @Test func `results stand below the role, each with its permission`() {
    var result = ToolResult(
      id: "1", name: "sky",
      content: [.object(["type": .string("text"), "text": .string("rain")])])
    (result.source, result.consent) = ("mcp:w", "once")
    (result.durationMs, result.logId) = (12.4, "r1")
    let turn = Message(role: "tool", text: "").with { $0.toolResults = [result] }
    #expect(
      text(turn) == """
        tool

        mcp:w/sky: done, permission: once, 12 ms, log: r1
        rain


        """)
  }

  @Test func `files and calls stand below the words`() {
    let file = AttachedFile(
      name: "notes\u{1B}.txt", contentType: "text/plain", content: Array("abc".utf8))
    let message = Message(role: "user", text: "What is *that*?").with { $0.attachments = [file] }
    #expect(
      text(message) == """
        user

        What is that?

        with notes<U+001B>.txt, text/plain, 3 bytes


        """)
    let call = ToolCall(
      id: "call-1", name: "weather",
      arguments: .object(["path": .string("a/b"), "city": .string("Oslo")]))
    let answer = Message(role: "assistant", text: "").with {
      ($0.model, $0.toolCalls, $0.chosen) = ("m", [call], true)
    }
    #expect(
      text(answer) == """
        assistant, m, chosen

        calls weather {"city":"Oslo","path":"a/b"}


        """)
    #expect(
      RecordText(width: 30).text(call) == "calls weather {\"city\":\"Oslo\",…\n")
  }

  @Test func `an answer that is not whole tells why`() {
    let failure = Failure(.missingAPIKey, "'http://127.0.0.1:1/v1/messages' refused the API key")
    let message = Message(role: "assistant", text: "It is").with {
      ($0.model, $0.complete, $0.error) = ("m", false, failure)
    }
    #expect(
      text(message) == """
        assistant, m, not complete

        It is

        'http://127.0.0.1:1/v1/messages' refused the API
        key


        """)
    #expect(
      text(message.with { $0.text = "\n" }, width: nil) == """
        assistant, m, not complete
        ==========================

        'http://127.0.0.1:1/v1/messages' refused the API key


        """)
  }
}
