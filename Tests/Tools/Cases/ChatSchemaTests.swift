import Foundation
import Testing

/// Answers that have a form.
@Suite("chat-send --schema")
struct ChatSchemaTests {
  private static let schema = """
    {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0}},"required":["name","age"],"additionalProperties":false}
    """

  @Test(arguments: Wire.allCases)
  func `an answer that does not fit is asked for again`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/person.json", Self.schema)
      let server = try await scratch.serveWires(
        #"[{"text":"{\"name\":\"Ada\",\"age\":-1}"},{"text":"{\"name\":\"Ada\",\"age\":36}"}]"#)
      let run = try await scratch.shell(
        "chat-send -n 'who is it?' --schema person.json --stream \(wire.option)")
      #expect(run.statuses == [0])
      #expect(run.records("message").map { $0["text"] } == [#"{"name":"Ada","age":36}"#])
      #expect(run.records("message").map { $0.flag("complete") } == [true])
      #expect(run.records("delta").count { $0.flag("restart") == true } == 1)
      #expect(server.requests.count == 2)
      // Both are paid for.
      let usages = try await usages(server, scratch, 2)
      #expect(run.records("message").first?.number("usage.outputTokens") == usages.reduce(0, +))
      for request in server.requests { #expect(request["body"].contains(Self.schema)) }
      #expect(server.requests.last?["body"].contains("'/age'") == true)
      try scratch.expectGolden("chat-send/schema-\(wire)")
    }
  }

  private func usages(
    _ server: Server, _ scratch: Scratch, _ count: Int
  ) async throws -> [Double] {
    try await scratch.until("the answers are logged") { server.log("answer").count == count }
    return server.log("answer").map {
      $0.number("usage.output_tokens") ?? $0.number("usage.completion_tokens") ?? 0
    }
  }

  @Test func `one that never fits is told as a failure, and kept`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/person.json", Self.schema)
      let server = try await scratch.serveWires(
        #"[{"times":0,"text":"{\"name\":\"Ada\",\"age\":\"old\"}"}]"#)
      for (option, requests) in [("", 2), ("--repair 0", 3), ("--repair 2", 6)] {
        let run = try await scratch.shell(
          "chat-send -n 'who is it?' --model claude-sonnet-4-6 --schema person.json \(option)")
        #expect(run.statuses == [69])
        let message = try #require(run.records("message").first)
        #expect(message.flag("complete") == false)
        #expect(message["error.code"] == "InvalidResponse")
        #expect(message["error.kind"] == "schema" && message["error.input"] == "/age")
        #expect(server.requests.count == requests)
        let kept = try await scratch.shell("chat-log show \(message["chatId"])")
        #expect(kept.records("message").last?["text"] == #"{"name":"Ada","age":"old"}"#)
        #expect(kept.records("message").last?["error.kind"] == "schema")
      }
      try scratch.expectGolden("chat-send/schema-never")
    }
  }

  @Test(arguments: [("words", "It is Ada."), ("list", "[]")])
  func `what does not fit as a whole is told in one sentence`(
    _ name: String, _ answer: String
  ) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/person.json", Self.schema)
      let server = try await scratch.serveWires(#"[{"times":0,"text":"\#(answer)"}]"#)
      let run = try await scratch.shell(
        "chat-send -n 'who is it?' --no-store --model claude-sonnet-4-6 --schema person.json")
      #expect(run.statuses == [69])
      #expect(server.requests.last?["body"].contains("JSON schema: it ") == true)
      try scratch.expectGolden("chat-send/schema-whole-\(name)")
    }
  }

  @Test(arguments: [
    ("dynamic", ##"{"$dynamicRef":"#a"}"##), ("elsewhere", #"{"$ref":"https://a.example/s.json"}"#),
    ("broken", #"{"type":"#), ("type", #"{"type":"person"}"#),
  ])
  func `a schema that is not followed here is refused before anything is sent`(
    _ name: String, _ schema: String
  ) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/form.json", schema)
      let server = try await scratch.serveWires()
      let run = try await scratch.shell(
        "chat-send -n ask --model claude-sonnet-4-6 --schema form.json")
      #expect(run.statuses == [65])
      #expect(run.records("message").isEmpty && server.requests.isEmpty)
      #expect(try await scratch.shell("chat-log list").output == "")
      try scratch.expectGolden("chat-send/schema-refused-\(name)")
    }
  }
}
