import Core
import Foundation
import TestSupport
import Testing

@testable import MCP

/// The arguments that travel as fields, by the marks of an input schema.
struct MirroredArgumentsTests {
  private func value(_ json: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  private func fields(_ schema: String, _ arguments: String) throws -> [String: String] {
    let mirrored = try MirroredArguments(value(schema))
    let fields = try mirrored.fields(for: value(arguments).members ?? [:])
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
  }

  @Test func `the example of the specification`() throws {
    let schema = #"""
      {"type":"object","properties":{
        "region":{"type":"string","description":"The region","x-mcp-header":"Region"},
        "query":{"type":"string","description":"The SQL query"}},
       "required":["region","query"]}
      """#
    let arguments = #"{"region":"us-west1","query":"SELECT * FROM users"}"#
    #expect(try fields(schema, arguments) == ["Region": "us-west1"])
  }

  @Test func `each primitive type has its text, and null and absent arguments have no field`()
    throws
  {
    let schema = #"""
      {"properties":{
        "s":{"type":"string","x-mcp-header":"S"},"e":{"type":"string","x-mcp-header":"E"},
        "i":{"type":"integer","x-mcp-header":"I"},"w":{"type":"integer","x-mcp-header":"W"},
        "t":{"type":"boolean","x-mcp-header":"T"},"f":{"type":"boolean","x-mcp-header":"F"},
        "n":{"type":"boolean","x-mcp-header":"N"},"a":{"type":"string","x-mcp-header":"A"}}}
      """#
    let arguments = #"{"s":"a b","e":"","i":-7,"w":42.0,"t":true,"f":false,"n":null}"#
    #expect(
      try fields(schema, arguments)
        == ["S": "a b", "E": "", "I": "-7", "W": "42", "T": "true", "F": "false"])
  }

  @Test func `a property inside objects is found at its path`() throws {
    let schema = #"""
      {"properties":{"where":{"type":"object","properties":{
        "x-mcp-header":{"type":"string","x-mcp-header":"Named"},
        "zone":{"type":"string","x-mcp-header":"Zone"}}}}}
      """#
    #expect(
      try fields(schema, #"{"where":{"zone":"b","x-mcp-header":"c"},"zone":"no"}"#)
        == ["Zone": "b", "Named": "c"])
    #expect(try fields(schema, #"{"where":"no object"}"#).isEmpty)
  }

  @Test(arguments: [
    (#"{"properties":{"value":{"type":"string","x-mcp-header":""}}}"#, "name of a field"),
    (#"{"properties":{"data":{"type":"object","x-mcp-header":"Data"}}}"#, "no string"),
    (#"{"properties":{"items":{"type":"array","x-mcp-header":"Items"}}}"#, "no string"),
    (#"{"properties":{"nil":{"type":"null","x-mcp-header":"Nil"}}}"#, "no string"),
    (#"{"properties":{"n":{"type":"number","x-mcp-header":"N"}}}"#, "no string"),
    (#"{"properties":{"n":{"type":["string","null"],"x-mcp-header":"N"}}}"#, "no string"),
    (##"{"properties":{"n":{"$ref":"#/$defs/a","x-mcp-header":"N"}}}"##, "no string"),
    (
      #"{"properties":{"a":{"type":"string","x-mcp-header":"R"},"#
        + #""b":{"type":"string","x-mcp-header":"R"}}}"#,
      "two properties"
    ),
    (
      #"{"properties":{"a":{"type":"string","x-mcp-header":"My"},"#
        + #""b":{"type":"string","x-mcp-header":"mY"}}}"#,
      "two properties"
    ),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":"My Region"}}}"#, "name of a field"),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":"Region:Primary"}}}"#, "name of a field"),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":"Région"}}}"#, "name of a field"),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":"Region\t1"}}}"#, "name of a field"),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":"A\r\nB"}}}"#, "name of a field"),
    (#"{"properties":{"v":{"type":"string","x-mcp-header":7}}}"#, "not a string"),
    (#"{"type":"string","x-mcp-header":"Root"}"#, "outside"),
    (#"{"properties":{"v":{"items":{"type":"string","x-mcp-header":"I"}}}}"#, "outside"),
    (#"{"properties":{"v":{"anyOf":[{"type":"string","x-mcp-header":"I"}]}}}"#, "outside"),
    (#"{"allOf":[{"properties":{"v":{"type":"string","x-mcp-header":"I"}}}]}"#, "outside"),
    (#"{"if":{"properties":{"v":{"type":"string","x-mcp-header":"I"}}}}"#, "outside"),
    (#"{"$defs":{"v":{"type":"string","x-mcp-header":"I"}}}"#, "outside"),
    (#"{"patternProperties":{"v":{"type":"string","x-mcp-header":"I"}}}"#, "outside"),
  ])
  func `a mark that breaks a rule is a fault`(schema: String, words: String) throws {
    let failure = #expect(throws: Failure.self) { try MirroredArguments(value(schema)) }
    #expect(failure?.explanation.contains(words) == true)
  }

  @Test(arguments: [
    #"{"default":{"x-mcp-header":""},"examples":[{"x-mcp-header":1}]}"#,
    #"{"properties":{"v":{"const":{"x-mcp-header":""},"enum":[{"x-mcp-header":""}]}}}"#,
    #"{"properties":{"x-mcp-header":{"type":"object"}}}"#, "true", "7", "null", "[]",
  ])
  func `what only looks like a mark is none`(schema: String) throws {
    #expect(try MirroredArguments(value(schema)).properties.isEmpty)
  }

  @Test(arguments: ["9007199254740992", "-9007199254740992", "1e300", "0.5"])
  func `an integer that JavaScript cannot hold is refused`(number: String) throws {
    let schema = #"{"properties":{"i":{"type":"integer","x-mcp-header":"I"}}}"#
    let failure = #expect(throws: Failure.self) { try fields(schema, #"{"i":\#(number)}"#) }
    #expect(failure?.code == .badInput)
    #expect(try fields(schema, #"{"i":9007199254740991}"#) == ["I": "9007199254740991"])
  }

  @Test func `schemas that nobody would write have an end`() {
    var random = SeededRandom(seed: 2026)
    let names = [
      "properties", "x-mcp-header", "type", "items", "allOf", "$defs", "not", "a", "default",
    ]
    func schema(_ depth: Int) -> JSONValue {
      switch Int.random(in: 0...(depth > 0 ? 5 : 2), using: &random) {
      case 0: return .string(random.one(of: ["string", "integer", "Region", ""], else: ""))
      case 1: return .int(1)
      case 2: return .null
      case 3: return .array((0..<3).map { _ in schema(depth - 1) })
      default:
        let members = (0..<4).map { _ in (random.one(of: names, else: ""), schema(depth - 1)) }
        return .object(Dictionary(members) { $1 })
      }
    }
    for _ in 0..<2000 {
      let value = schema(6)
      let fields = try? MirroredArguments(value).fields(for: value.members ?? [:])
      #expect(fields?.allSatisfy { !$0.name.isEmpty } ?? true)
    }
    var deep: JSONValue = .object(["type": .string("string"), "x-mcp-header": .string("Deep")])
    for _ in 0..<400 { deep = .object(["properties": .object(["a": deep])]) }
    #expect((try? MirroredArguments(deep))?.properties.first?.path.count == 400)
  }
}
