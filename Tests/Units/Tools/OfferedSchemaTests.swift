import Core
import Testing

@testable import Providers
@testable import Tools

@Suite("schemas as models get them")
struct OfferedSchemaTests {
  private func offered(_ schema: String) throws -> OfferedSchema {
    try OfferedSchema(try #require(JSONValue(json: schema.utf8)))
  }

  @Test(arguments: [
    (#"{"type":"object","properties":{"a":{"anyOf":[{},{}]}}}"#, nil),
    ("{}", #"{"type":"object"}"#), ("true", #"{"type":"object"}"#),
    (#"{"type":["null","object"],"title":"T"}"#, #"{"title":"T","type":"object"}"#),
    (#"{"type":7}"#, #"{"type":"object"}"#),
  ])
  func `an object without composition is not wrapped`(_ schema: String, _ form: String?) throws {
    let offered = try offered(schema)
    #expect(offered.value == JSONValue(json: (form ?? schema).utf8) && !offered.wraps)
  }

  @Test(arguments: [
    (
      ##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/A","##
        + ##""$defs":{"A":{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#"}}}}}"##,
      ##"{"$schema":"https://json-schema.org/draft/2020-12/schema","additionalProperties":false,"##
        + ##""$defs":{"A":{"properties":{"a":{"$ref":"#/$defs/A"},"##
        + ##""b":{"$ref":"#/properties/arguments"}}}},"##
        + ##""properties":{"arguments":{"$ref":"#/$defs/A"}},"##
        + ##""required":["arguments"],"type":"object"}"##
    ),
    (
      ##"{"oneOf":[{"$ref":"#/properties/a"}],"properties":{"a":{},"$ref":{"enum":["#/x"]}},"##
        + ##""default":{"$ref":"#/x"}}"##,
      ##"{"additionalProperties":false,"properties":{"arguments":{"##
        + ##""oneOf":[{"$ref":"#/properties/arguments/properties/a"}],"##
        + ##""properties":{"a":{},"$ref":{"enum":["#/x"]}},"default":{"$ref":"#/x"}}},"##
        + ##""required":["arguments"],"type":"object"}"##
    ),
  ])
  func `composition is wrapped, and its references lead to the same parts`(
    _ schema: String, _ form: String
  ) throws {
    let offered = try offered(schema)
    #expect(offered.wraps)
    #expect(offered.value == JSONValue(json: form.utf8), "\(offered.value.json)")
  }

  @Test(arguments: [#"{"type":"array"}"#, #"{"type":["string"],"anyOf":[{}]}"#])
  func `a schema that accepts no object is not offered`(_ schema: String) {
    #expect(throws: Failure.self) { try offered(schema) }
  }

  @Test func `a call is wrapped for the model, and unwrapped for the tool`() throws {
    var request = ModelRequest(system: "", turns: [])
    request.tools = [ToolOffer(name: "a", description: "", inputSchema: "{}")]
    request.tools[0].wrapsArguments = true
    let texts = [
      #"{"x":1}"#, "{}", #"{"arguments":{"x":1}}"#, "broken", #"{"arguments":7}"#,
    ]
    let calls = texts.map { ModelAnswer.ToolRequest(id: "1", name: "a", arguments: $0) }
    request.turns = [.init(role: "assistant", parts: calls.map { .toolCall($0) })]
    let wrapped = request.wrapped.turns[0].parts.compactMap { part in
      if case .toolCall(let call) = part { call.arguments } else { nil }
    }
    #expect(
      wrapped == [
        #"{"arguments":{"x":1}}"#, #"{"arguments":{}}"#, #"{"arguments":{"arguments":{"x":1}}}"#,
        "broken", #"{"arguments":{"arguments":7}}"#,
      ])
    var answer = ModelAnswer()
    answer.blocks = wrapped.map {
      .toolCall(ModelAnswer.ToolRequest(id: "1", name: "a", arguments: $0))
    }
    #expect(answer.unwrapped(for: request).toolCalls.map(\.arguments) == texts)
    // A model may omit the wrapper.
    answer.blocks = calls.map { .toolCall($0) }
    #expect(
      answer.unwrapped(for: request).toolCalls.map(\.arguments)
        == [texts[0], texts[1], texts[0], texts[3], texts[4]])
  }
}
