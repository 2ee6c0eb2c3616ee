import Core
import Testing

@testable import Schemas

/// Schemas and values that ask for more than there is.
@Suite struct SchemaLimitTests {
  private func nested(_ depth: Int, _ value: JSONValue = .array([])) -> JSONValue {
    (1..<depth).reduce(value) { value, _ in .array([value]) }
  }

  @Test func `a value is followed as deep as JSON is read`() throws {
    let schema = try JSONSchema(json(##"{"items":{"$ref":"#"},"type":"array"}"##))
    #expect(schema.problem(in: nested(512)) == nil)
    #expect(
      schema.problem(in: nested(513))
        == SchemaProblem("", "$schema", "is nested more than 512 levels deep"))
    let wrong = nested(511, .array([.null]))
    #expect(
      schema.problem(in: wrong)
        == SchemaProblem(
          String(repeating: "/0", count: 511), "type", "must be of type array, but is null"))
  }

  @Test func `a schema that goes deeper than the value has an end`() throws {
    let around = ##"{"allOf":[{"anyOf":[{"items":{"$ref":"#"}}]}]}"##
    let schema = try JSONSchema(json(around))
    #expect(schema.problem(in: nested(300)) == nil)
    #expect(
      schema.problem(in: nested(512))?.sentence == "is nested too deeply to be checked")
  }

  @Test func `a schema is read as deep as JSON is read`() throws {
    let deep = (0..<511).reduce(JSONValue.object([:])) { value, _ in .object(["not": value]) }
    #expect(refusal(of: deep) == "")
    #expect(
      refusal(of: .object(["not": deep])) == "the schema is nested more than 512 levels deep")
  }

  @Test func `schemas that multiply come to an end`() throws {
    let rows = (0..<40).map {
      ##""a\##($0)":{"allOf":[{"$ref":"#/$defs/a\##($0 + 1)"},{"$ref":"#/$defs/a\##($0 + 1)"}]}"##
    }
    let text = ##"{"$ref":"#/$defs/a0","$defs":{\##(rows.joined(separator: ",")),"a40":{}}}"##
    #expect(try JSONSchema(json(text)).problem(in: .null, CheckingWork(10_000)) == tooMuch)
  }

  @Test func `no branch makes good that there was too much work`() throws {
    let pattern = #"{"pattern":"(?=(x*x*x*x*x*y))"}"#
    let value = JSONValue.string(String(repeating: "x", count: 2_000))
    let schemas = [
      pattern, #"{"not":\#(pattern)}"#, #"{"anyOf":[\#(pattern),true]}"#, #"{"if":\#(pattern)}"#,
    ]
    for schema in schemas {
      #expect(try JSONSchema(json(schema)).problem(in: value, CheckingWork(10_000)) == tooMuch)
    }
    #expect(try verdict(pattern, "\"xxy\"") == "fits")
  }

  private let tooMuch = SchemaProblem(
    "", "$schema", "takes too much work to check against the schema")
}
