import CodingAgents
import Core
import Testing

@Suite("calls that wait for a person")
struct AwaitedCallTests {
  private static let session = SessionKey(.claude, "s")
  private static let arguments = JSONValue.object(["command": .string("make")])

  private func entry(
    _ content: SessionEntry.Content, _ session: SessionKey = session, isCopy: Bool = false
  ) -> SessionEntry {
    SessionEntry(session, content, at: nil, isCopy: isCopy)
  }

  /// Returns a part of the answer `id`, which calls the tool with the id `call`.
  private func call(
    _ call: String, of id: String, _ arguments: JSONValue = arguments
  ) -> SessionEntry {
    var answer = SessionAnswer(id: id)
    answer.toolCalls = [SessionToolCall(id: call, name: "Bash", arguments: arguments)]
    return entry(.answer(answer))
  }

  private func result(_ call: String) -> SessionEntry {
    entry(.result(SessionResult(call: call, text: "", isError: false)))
  }

  private func awaited(_ id: String? = nil) -> AwaitedCall {
    AwaitedCall(of: Self.session, id: id, tool: "Bash", arguments: Self.arguments)
  }

  @Test func `an earlier call with a result is not this one`() {
    var call = awaited()
    call.take(earlier: [self.call("1", of: "a"), result("1")])
    #expect(!call.isAnswered)
    call.take([self.call("2", of: "b")])
    #expect(!call.isAnswered)
    call.take([result("2")])
    #expect(call.isAnswered)
  }

  @Test func `calls of one answer wait for each other`() {
    let other = JSONValue.object(["command": .string("ls")])
    var call = awaited()
    call.take(earlier: [self.call("1", of: "a"), self.call("2", of: "a", other), result("2")])
    call.take([
      self.call("3", of: "a", other), result("3"), entry(.prompt(SessionPrompt(text: "later"))),
      entry(.result(SessionResult(call: "1", text: "", isError: false)), isCopy: true),
      entry(.answer(SessionAnswer(id: "z")), SessionKey(.claude, "s", subagent: "x")),
    ])
    #expect(!call.isAnswered)
    call.take([entry(.answer(SessionAnswer(id: "b")))])
    #expect(call.isAnswered)
  }

  @Test func `equal calls of one answer are told apart by their ids alone`() {
    for (id, afterFirst) in [("1", true), ("2", false), (nil, false)] {
      var call = awaited(id)
      call.take(earlier: [self.call("1", of: "a"), self.call("2", of: "a")])
      call.take([result("1")])
      #expect(call.isAnswered == afterFirst, "\(id ?? "none")")
      call.take([result("2")])
      #expect(call.isAnswered)
    }
  }

  @Test(arguments: [SessionTurn.interrupted, .ended])
  func `the end of the turn is an answer`(_ turn: SessionTurn) {
    var call = awaited()
    call.take(earlier: [self.call("1", of: "a")])
    call.take([entry(.turn(.began))])
    #expect(!call.isAnswered)
    call.take([entry(.turn(turn))])
    #expect(call.isAnswered)
  }
}
