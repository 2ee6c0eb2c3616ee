import Core
import MCP
import Testing

/// Questions of servers to the person.
@Suite(.serialized) struct QuestionTests {
  @Test func `a form's answer returns with the unread state under a new id`() async throws {
    let person = SamePerson(.accept(["name": .string("Ada")]))
    let made = try MadeServer(person: person)
    let answer = try await made.call("ask").json
    let form: JSONValue = .object([
      "who": .object([
        "action": .string("accept"), "content": .object(["name": .string("Ada")]),
      ])
    ])
    // The probe has the id 1 and the first call the id 2.
    #expect(answer == .array([form, .string("state é 1"), .int(3)]))
    #expect(person.questions == ["mcp:made: Who?"])
  }

  @Test(arguments: ["modern", "old"])
  func `an address is opened, and the person may say no`(_ era: String) async throws {
    let answers: [(MCPAnswer, String)] = [
      (.accept([:]), #""action": "accept"}"#), (.decline, #""action": "decline"}"#),
      (.cancel, #""action": "cancel"}"#),
    ]
    for (answer, text) in answers {
      let person = SamePerson(answer)
      let made = try MadeServer(["--era", era], person: person)
      let result = try await made.call("ask_url")
      #expect(result.text?.contains(text) ?? false)
      #expect(person.questions == ["mcp:made: Visit: https://example.com/x"])
    }
  }

  @Test func `an older server asks by a request`() async throws {
    let person = SamePerson(.accept(["name": .string("Ada"), "age": .int(36)]))
    let made = try MadeServer(["--era", "old"], person: person)
    #expect(
      try await made.call("ask").text
        == #"{"action": "accept", "content": {"age": 36, "name": "Ada"}}"#)
    #expect(try await made.call("ask_nested").text?.contains("-32602") ?? false)
  }

  @Test func `without a person nothing is asked`() async throws {
    let modern = try MadeServer()
    for tool in ["ask", "sample"] {
      let failure = await failed { () throws(Failure) in _ = try await modern.call(tool) }
      #expect(failure?.code == .toolFailed && failure?.kind == .missingCapability)
    }
    let old = try MadeServer(["--era", "old"])
    #expect(try await old.call("ask").text?.contains("-32601") ?? false)
  }

  @Test func `questions that cannot be shown or do not end are failures`() async throws {
    let made = try MadeServer(person: SamePerson(.accept([:])))
    let nested = await failed { () throws(Failure) in _ = try await made.call("ask_nested") }
    #expect(nested?.code == .invalidResponse)
    let endless = await failed { () throws(Failure) in _ = try await made.call("ask_forever") }
    #expect(endless?.explanation == "'mcp:made' asked 10 times and gave no result")
    let sampling = await failed { () throws(Failure) in _ = try await made.call("sample") }
    #expect(sampling?.kind == .missingCapability)
  }

  @Test func `pings are answered, and other requests are refused`() async throws {
    let made = try MadeServer(["--era", "old"], person: SamePerson(.decline))
    #expect(
      try await made.call("pings", ["count": .int(3)]).text == #"{"p0": {}, "p1": {}, "p2": {}}"#)
    let other = try MadeServer(["--era", "old"])
    let roots = try await other.call(
      "pings", ["count": .int(1), "method": .string("roots/list")])
    #expect(roots.text?.contains("-32601") ?? false)
  }
}
