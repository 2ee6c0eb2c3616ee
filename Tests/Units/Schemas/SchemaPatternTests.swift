import Core
import Testing

@testable import Schemas

/// Regular expressions as ECMA-262 has them.
@Suite struct SchemaPatternTests {
  private func matches(_ source: String, _ text: String) throws -> Bool {
    var work = CheckingWork()
    return try SchemaPattern(source).matches(text, &work)
  }

  private func reason(_ source: String) -> String {
    do throws(PatternError) {
      _ = try SchemaPattern(source)
      return ""
    } catch {
      return error.reason
    }
  }

  @Test(
    arguments: [
      ("", ["", "a"], []),
      ("^(?:ab|c)+$", ["ab", "cab", "ccc"], ["", "a", "abx"]),
      ("^a{2}$", ["aa"], ["a", "aaa"]),
      ("^a{2,}$", ["aa", "aaaa"], ["a"]),
      ("^a{1,3}?$", ["a", "aaa"], ["", "aaaa"]),
      ("^(a?){3}$", ["", "aaa"], ["aaaa"]),
      ("^(a*)*$", ["", "aaa"], ["b"]),
      ("a.c", ["abc", "a🐲c"], ["a\nc", "a\u{2028}c", "ac"]),
      (#"^[\w.-]+@[a-z]+\.[a-z]{2,}$"#, ["a.b-c@d.ef"], ["a b@d.ef", "a@d.e"]),
      (#"^[^\d\s]$"#, ["a", "٣"], ["1", "\u{A0}"]),
      ("^[]$", [], ["", "a"]),
      ("^[^]$", ["a", "\n"], ["", "ab"]),
      (#"^[\b\-\]a-c]+$"#, ["\u{8}-]b"], ["d"]),
      (#"^\x41\u0042\u{1F432}\uD83D\uDC32\cJ\0$"#, ["AB🐲🐲\n\0"], ["AB"]),
      (#"\uD83D"#, [], ["🐲", "a"]),
      (#"\bfoo\b"#, ["a foo.", "foo"], ["afoo", "foo_"]),
      (#"\Bo"#, ["foo"], ["o"]),
      ("^(?=.*[A-Z])(?=.*[0-9]).{4,}$", ["aB3d"], ["abcd", "AB3"]),
      ("^(?!foo)(?<name>.*)$", ["bar", ""], ["foobar"]),
      ("(?<=ab)c", ["abc", "xabc"], ["bac", "c"]),
      ("(?<!a)b", ["b", "cb"], ["ab"]),
      ("(?<=^|,)x(?=,|$)", ["x", "a,x,b"], ["ax", "xa"]),
      (#"^\p{Script=Greek}\P{Lu}\p{gc=Nd}$"#, ["αa٣"], ["aa1", "αA1"]),
      (#"^[\p{L}\d]+$"#, ["é1"], ["-"]),
      ("^é$", ["\u{E9}"], ["e\u{301}"]),
      (#"^\/\-\_\@$"#, ["/-_@"], []),
    ] as [(String, [String], [String])])
  func `a pattern takes what it says`(
    source: String, taken: [String], others: [String]
  ) throws {
    #expect(try taken.filter { try !matches(source, $0) } == [])
    #expect(try others.filter { try matches(source, $0) } == [])
  }

  @Test(arguments: [
    ("a)", "a ')' closes nothing"), ("(a", "a '(' is not closed"), ("[a", "a '[' is not closed"),
    ("+a", "nothing precedes a '+'"), ("a**", "nothing precedes a '*'"),
    ("a{", "a '{' is not followed by a count"), ("a{2,1}", "the counts of a '{}' are out of order"),
    ("}", "a lone '}' must be escaped"), ("]", "a lone ']' must be escaped"),
    ("^*", "a quantifier follows something that cannot be repeated"),
    ("(?=a)+", "a quantifier follows something that cannot be repeated"),
    ("(?i)a", "groups that begin with '(?' and set flags are not supported"),
    (#"(a)\1"#, "back references are not supported"),
    (#"(?<a>b)\k<a>"#, "back references are not supported"),
    ("(?<1>a)", "the name of a group is malformed"),
    ("[b-a]", "a range of a class is out of order"),
    (#"[\d-a]"#, "a range of a class has no character at an end"),
    (#"\Z"#, #"'\Z' is not an escape"#), (#"\"#, "it ends with a backslash"),
    (#"\x4"#, "an escape has fewer than 2 hexadecimal digits"),
    (#"\u12"#, "an escape has fewer than 4 hexadecimal digits"),
    (#"\u{110000}"#, #"'\u{' names no character"#), (#"\01"#, #"'\0' is followed by a digit"#),
    (#"\c1"#, #"no letter follows '\c'"#), (#"\p"#, #"no name in braces follows '\p'"#),
    (#"\p{Foo}"#, #"'\p' names no character property"#),
    ("((a{1000}){1000}){1000}", "it is too large"),
    (String(repeating: "(", count: 60), "its groups are nested too deeply"),
  ])
  func `what is no pattern is told`(source: String, expected: String) {
    #expect(reason(source) == expected)
  }

  @Test func `patterns that others take for ever for are soon done`() throws {
    let text = String(repeating: "a", count: 2_000) + "!"
    #expect(try !matches("^(a+)+$", text))
    #expect(try !matches("^(a|aa)+$", text))
    #expect(try !matches("(.*)*b", text))
    #expect(try matches("^.{1,65535}$", text))
    #expect(try !matches("^(([a-z])+.)+[A-Z]([a-z])+$", text))
  }

  @Test func `empty parts in great numbers are one`() throws {
    #expect(try matches("^(){1000000}(?:(){0,1000000}){1000000}(?:()?)*$", ""))
    #expect(reason("(?:(?=a{100})b){100000}") == "it is too large")
  }
}
