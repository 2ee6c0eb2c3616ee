import Core
import Testing

@testable import Schemas

/// What is told of a value that does not fit.
@Suite struct SchemaProblemTests {
  @Test(arguments: [
    (#"{"type":"integer"}"#, "1.0", "fits"),
    (#"{"type":"integer"}"#, "1.5", " type: must be of type integer, but is not a whole number"),
    (#"{"type":["string","null"]}"#, "1", " type: must be of type string or null, but is a number"),
    (#"{"enum":["a",1,null]}"#, "2", #" enum: must be one of "a", 1, null"#),
    (#"{"const":{"b":[1],"a":2}}"#, #"{"a":2.0,"b":[1e0]}"#, "fits"),
    (#"{"const":{"a":2}}"#, "3", #" const: must be {"a":2}"#),
    (#"{"maximum":10}"#, "10.1", " maximum: must be at most 10"),
    (#"{"exclusiveMinimum":-0.5}"#, "-0.5", " exclusiveMinimum: must be more than -0.5"),
    (#"{"multipleOf":0.0001}"#, "0.0075", "fits"),
    (#"{"multipleOf":0.01}"#, "4.015", " multipleOf: must be a multiple of 0.01"),
    (#"{"maxLength":1}"#, #""👩‍👧""#, " maxLength: must have at most 1 character, but has 3"),
    (#"{"minItems":2}"#, "[1]", " minItems: must have at least 2 items, but has 1"),
    (#"{"minProperties":1}"#, "{}", " minProperties: must have at least 1 member, but has 0"),
    (#"{"pattern":"^a"}"#, #""ba""#, " pattern: does not match the pattern '^a'"),
    (#"{"uniqueItems":true}"#, "[1,2,1.0]", " uniqueItems: has the same item at 0 and at 2"),
    (#"{"required":["a","b"]}"#, #"{"a":1}"#, " required: lacks the member 'b'"),
    (
      #"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#,
      " dependentRequired: lacks the member 'b', which 'a' requires"
    ),
    (
      #"{"additionalProperties":false}"#, #"{"a/b":1}"#,
      "/a~1b additionalProperties: is not allowed"
    ),
    (#"{"unevaluatedItems":false}"#, "[1]", "/0 unevaluatedItems: is not allowed"),
    (
      #"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#,
      "/ab maxLength: the name of the member must have at most 1 character, but has 2"
    ),
    (
      #"{"properties":{"a":{"items":{"type":"string"}}}}"#, #"{"a":["x",{}]}"#,
      "/a/1 type: must be of type string, but is an object"
    ),
    (#"{"not":{"type":"null"}}"#, "null", " not: matches the schema of 'not'"),
    (
      #"{"contains":{"const":1}}"#, "[2]",
      " contains: must have at least 1 item matching the schema of 'contains'"
    ),
    (
      #"{"contains":{"const":1},"minContains":2,"maxContains":2}"#, "[1,1,1]",
      " maxContains: must have at most 2 items matching the schema of 'contains', but has 3"
    ),
    (
      #"{"oneOf":[{"minimum":1},{"maximum":3},{"type":"string"}]}"#, "2",
      " oneOf: matches both schemas 0 and 1 of 'oneOf'"
    ),
    (
      #"{"items":{"anyOf":[{"type":"string"},{"properties":{"a":{"maximum":1}}}]}}"#,
      #"[{"a":2}]"#,
      "/0 anyOf: matches no schema of 'anyOf': must be of type string, but is an object; or "
        + "'/a' must be at most 1"
    ),
    (##"{"$ref":"#/$defs/a","$defs":{"a":{"minimum":3}}}"##, "2", " minimum: must be at least 3"),
    ("false", "1", " $schema: is not allowed"),
  ])
  func `the first problem is told with its place and its keyword`(
    schema: String, value: String, expected: String
  ) throws {
    #expect(try verdict(schema, value) == expected)
  }

  @Test func `names are what their code points are`() throws {
    let (composed, taken) = ("\u{E9}", "e\u{301}")
    #expect(
      try verdict(#"{"required":["\#(composed)"]}"#, #"{"\#(taken)":1}"#)
        == " required: lacks the member '\(composed)'")
    #expect(try verdict(#"{"const":"\#(composed)"}"#, #""\#(taken)""#) != "fits")
    #expect(try verdict(#"{"uniqueItems":true}"#, #"["\#(composed)","\#(taken)"]"#) == "fits")
  }

  @Test func `what is long is told in part`() throws {
    let long = String(repeating: "x", count: 1_000)
    let name = "'" + String(repeating: "x", count: 59) + "…'"
    #expect(
      try verdict(#"{"required":["\#(long)"]}"#, "{}") == " required: lacks the member \(name)")
    let many = (0..<30).map { "\($0)" }.joined(separator: ",")
    let first = (0..<20).map { "\($0)" }.joined(separator: ", ")
    #expect(try verdict(#"{"enum":[\#(many)]}"#, "99") == " enum: must be one of \(first), …")
  }

  @Test func `a problem in a part is told with its place`() throws {
    let schema = try JSONSchema(json(#"{"items":{"type":"null"},"maxItems":1}"#))
    let all = [try json("[1]"), try json("[null,null]"), try json("[null]")].map {
      schema.problem(in: $0)?.explanation
    }
    #expect(
      all == [
        "'/0' must be of type null, but is a number", "must have at most 1 item, but has 2",
        nil,
      ])
  }
}
