import Core
import Testing

@testable import Schemas

/// Schemas that are refused before anything is held against them.
@Suite struct SchemaRefusalTests {
  @Test(arguments: [
    ("3", "the schema must be an object or a boolean"),
    (
      #"{"items":[{}]}"#,
      "'/items' of the schema must be a single schema, unlike 'prefixItems'"
    ),
    (#"{"not":3}"#, "'/not' of the schema must be an object or a boolean"),
    (#"{"allOf":[]}"#, "'/allOf' of the schema must contain at least one schema"),
    (
      #"{"type":"text"}"#,
      "'/type' of the schema must name a type out of array, boolean, integer, null, number, object, string"
    ),
    (#"{"type":[]}"#, "'/type' of the schema must be a type name or an array of type names"),
    (#"{"required":["a","a"]}"#, "'/required' of the schema has a name twice"),
    (#"{"required":"a"}"#, "'/required' of the schema must be an array of names"),
    (#"{"minLength":-1}"#, "'/minLength' of the schema must be a whole number of at least 0"),
    (#"{"maximum":"3"}"#, "'/maximum' of the schema must be a number"),
    (#"{"multipleOf":0}"#, "'/multipleOf' of the schema must be more than 0"),
    (#"{"uniqueItems":1}"#, "'/uniqueItems' of the schema must be a boolean"),
    (#"{"enum":3}"#, "'/enum' of the schema must be an array"),
    (#"{"properties":[]}"#, "'/properties' of the schema must be an object"),
    (#"{"$ref":3}"#, "'/$ref' of the schema must be a string"),
    (
      #"{"properties":{"a/b":{"pattern":"("}}}"#,
      "'/properties/a~1b/pattern' of the schema is not a supported regular expression: a '(' is not closed"
    ),
    (
      #"{"patternProperties":{"*":{}}}"#,
      "'/patternProperties/*' of the schema is not a supported regular expression: nothing precedes a '*'"
    ),
    (##"{"$dynamicRef":"#a"}"##, "'/$dynamicRef' of the schema is not supported"),
    (
      #"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
      "'/$schema' of the schema must be 'https://json-schema.org/draft/2020-12/schema': other dialects are not supported"
    ),
    (
      #"{"$ref":"https://example.com/a.json"}"#,
      "'/$ref' of the schema refers to 'https://example.com/a.json' outside the schema, which is not supported"
    ),
    (
      ##"{"$ref":"#/$defs/a"}"##,
      "'/$ref' of the schema refers to '#/$defs/a', which does not exist"
    ),
    (##"{"$ref":"#a"}"##, "'/$ref' of the schema refers to '#a', which does not exist"),
    (##"{"$ref":"#/type","type":"null"}"##, "'/type' of the schema must be an object or a boolean"),
    (##"{"$ref":"#/~2"}"##, "'/$ref' of the schema is not a reference"),
    (##"{"$ref":"#%"}"##, "'/$ref' of the schema is not a reference"),
    (##"{"$id":"#a"}"##, "'/$id' of the schema must be an address without a fragment"),
    (#"{"$anchor":"1"}"#, "'/$anchor' of the schema is not an anchor name"),
    (
      #"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#,
      "'/$defs/a/$anchor' of the schema is the name of two schemas"
    ),
    (
      #"{"$defs":{"a":{"$id":"x:y"},"b":{"$id":"x:y"}}}"#,
      "'/$defs/a/$id' of the schema is the address of two schemas"
    ),
    (##"{"$ref":"#"}"##, "the schema refers to itself in a circle"),
    (
      ##"{"$defs":{"a":{"anyOf":[{},{"not":{"$ref":"#/$defs/a"}}]}}}"##,
      "'/$defs/a' of the schema refers to itself in a circle"
    ),
  ])
  func `what is malformed or not supported is named by its place`(
    schema: String, expected: String
  ) throws {
    #expect(try refusal(schema) == expected)
  }

  @Test(arguments: [
    #"{"format":"ipv4","unknown":3,"contentSchema":{},"title":"a","$comment":"b"}"#,
    #"{"$schema":"https://json-schema.org/draft/2020-12/schema#","$vocabulary":{}}"#,
    ##"{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}"##,
    #"{"then":{},"else":{},"minContains":3}"#,
  ])
  func `what judges nothing is let be`(schema: String) throws {
    #expect(try refusal(schema) == "")
    #expect(try verdict(schema, "3") == "fits")
  }
}
