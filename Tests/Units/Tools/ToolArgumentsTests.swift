import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Tools

@Suite("arguments of tools")
struct ToolArgumentsTests {
  private func tool(_ schema: String, output: String? = nil) throws -> ToolRecord {
    let value = try #require(JSONValue(json: schema.utf8))
    return ToolRecord(name: "t", source: "mcp:s", inputSchema: value).with {
      $0.outputSchema = output.flatMap { JSONValue(json: $0.utf8) }
    }
  }

  @Test(arguments: [
    (#"{"type":"string"}"#, "5", JSONValue.string("5")), (#"{"type":"integer"}"#, "5", .int(5)),
    (#"{"type":"integer"}"#, "5.0", .int(5)), (#"{"type":"integer"}"#, "5.5", .string("5.5")),
    (#"{"type":"number"}"#, "5", .int(5)), (#"{"type":"boolean"}"#, "true", .bool(true)),
    (#"{"type":["string","null"]}"#, "null", .string("null")),
    (#"{"type":["integer","null"]}"#, "null", .null),
    (#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "7", .int(7)),
    (#"{"enum":[1,2]}"#, "2", .int(2)), ("{}", "5", .string("5")), ("true", "5", .string("5")),
    (#"{"type":"array"}"#, "[1]", .array([.int(1)])), (#"{"type":"object"}"#, "{", .string("{")),
    (##"{"$ref":"#/$defs/n"}"##, "3", .int(3)),
    (##"{"$ref":"#/properties/a"}"##, "3", .string("3")),
  ])
  func `a value is read by its type`(_ part: String, _ text: String, _ value: JSONValue) throws {
    let tool = try tool(#"{"properties":{"a":\#(part)},"$defs":{"n":{"type":"integer"}}}"#)
    #expect(try ToolArguments.read(["a=\(text)"], for: tool) == .object(["a": value]))
  }

  @Test func `a schema that refers to another document is not fetched, and refuses`() throws {
    let tool = try tool(#"{"properties":{"a":{"$ref":"https://a.example/x.json"}}}"#)
    #expect(throws: Failure.self) {
      try ToolArguments.check(.object([:]), for: tool) { _ in }
    }
  }

  @Test(arguments: [
    ##"{"$dynamicRef":"#x"}"##, #"{"pattern":"("}"#, #"{"type":7}"#, #"{"$schema":"https://a"}"#,
  ])
  func `a schema that cannot be used is reported once and checks nothing`(
    _ schema: String
  ) throws {
    let notices = Mutex<[Notice]>([])
    try ToolArguments.check(.object(["a": .int(1)]), for: tool(schema)) { notice in
      notices.withLock { $0.append(notice) }
    }
    #expect(notices.withLock(\.count) == 1)
  }

  @Test(arguments: [
    (#"{"type":"object"}"#, true), (#"{"anyOf":[{"type":"object"},{"type":"null"}]}"#, false),
  ])
  func `structured content may be absent only if the schema accepts null`(
    _ schema: String, _ isMissed: Bool
  ) throws {
    let tool = try tool("{}", output: schema)
    let mismatch = ToolArguments.mismatch(SourceResult(content: []), of: tool)
    #expect((mismatch != nil) == isMissed)
  }

  @Test func `a schema of an older draft is checked`() throws {
    let tool = try tool(
      #"{"$schema":"http://json-schema.org/draft-07/schema#","required":["a"]}"#)
    #expect(throws: Failure.self) {
      try ToolArguments.check(.object([:]), for: tool) { _ in }
    }
  }

  @Test func `hostile schemas cost bounded time`() throws {
    let deep =
      String(repeating: #"{"not":"#, count: 400) + "{}" + String(repeating: "}", count: 400)
    let many = #"{"properties":{"a":{"pattern":"(a*)*(b*)*(a|aa)*$"}}}"#
    let value = JSONValue.object(["a": .string(String(repeating: "a", count: 5_000) + "!")])
    for schema in [deep, many, ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##] {
      // Only the end matters: each of these ends, with any verdict.
      try? ToolArguments.check(value, for: tool(schema)) { _ in }
    }
  }

  @Test func `random operands never crash`() throws {
    var random = SeededRandom(seed: 3)
    let tool = try tool(#"{"properties":{"a":{"type":"integer"}}}"#)
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        random.one(of: Array(#"a=:{}[]"\1,é"#.utf8) + [0xFF, 0], else: 0)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try? ToolArguments.read([text, "a=1"], for: tool)
      _ = try? ClientConfiguration.servers(bytes, file: "f")
      _ = try? VariableExpansion(["a": "b"]).expanded("${" + text + "}" + text)
    }
  }

  @Test(arguments: [
    ("${A}/x", "1/x"), ("${B:-two}", "two"), ("${EMPTY:-two}", "two"), ("${EMPTY}", ""),
    ("${A:-two}", "1"), ("$A ${", "$A ${"), ("${C}", nil), ("${NESTED}", "${A}"),
  ])
  func `variables are expanded once`(_ text: String, _ expected: String?) {
    let expansion = VariableExpansion(["A": "1", "EMPTY": "", "NESTED": "${A}"])
    #expect((try? expansion.expanded(text)) == expected)
  }

  @Test func `a search prefers names and rare words`() throws {
    let tools = [
      ("git_log", "Shows the commits"), ("git_blame", "Shows who changed each line of a file"),
      ("read_file", "Reads a file"), ("time", "Tells the time"),
    ].map { name, text in
      ToolRecord(name: name, source: "mcp:s", inputSchema: .null).with { $0.description = text }
    }
    #expect(
      ToolSearch.tools(tools, for: "who changed this file").first?.name == "read_file"
        || ToolSearch.tools(tools, for: "who changed this line").first?.name == "git_blame")
    #expect(ToolSearch.tools(tools, for: "commit").map(\.name) == ["git_log"])
    #expect(ToolSearch.tools(tools, for: "zebra").isEmpty)
  }
}
