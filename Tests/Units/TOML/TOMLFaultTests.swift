import TOML
import Testing

/// What is no TOML is a fault with its line and column.
@Suite struct TOMLFaultTests {
  @Test(arguments: [
    // The three that ended a tool with SIGABRT while toml++ read them.
    ("[\n", 1, 2), ("a = 1\ne = 1979-05-27T:32:00Z\n", 2, 5), ("c = [1,}\r", 1, 8),
    ("[[[1]]]", 1, 3), ("[&", 1, 2),
    // Statements.
    ("a", 1, 2), ("a =", 1, 4), ("= 1", 1, 1), ("a = 1 b = 2", 1, 7), ("a = 1\rb = 2", 1, 6),
    ("a.b. = 1", 1, 6), ("a..b = 1", 1, 3), ("a\n= 1", 1, 2), ("a = # no value", 1, 5),
    ("\u{FEFF}\u{FEFF}a = 1", 1, 2), ("é = 1", 1, 1), ("\"\"\"a\"\"\" = 1", 1, 1),
    // Tables.
    ("[]", 1, 2), ("[a", 1, 3), ("[a]]", 1, 4), ("[[a]", 1, 4), ("[[a] ]", 1, 4),
    ("[a] b = 1", 1, 5),
    ("[a]\n[a]", 2, 1), ("a = 1\n[a]", 2, 1), ("a = 1\n[a.b]", 2, 1), ("[a]\n[[a]]", 2, 1),
    ("[[a]]\n[a]", 2, 1), ("a = []\n[[a]]", 2, 1), ("a = {}\n[a.b]", 2, 1),
    ("a.b = 1\n[a]", 2, 1), ("[a.b]\nc = 1\n[a]\nb.d = 1", 4, 1), ("[[a.b]]\n[a]\nb.c = 1", 3, 1),
    ("a = 1\na = 2", 2, 1), ("a = 1\n\"a\" = 2", 2, 1), ("a = 1\na.b = 2", 2, 1),
    ("a = {b = 1}\na.c = 2", 2, 1),
    // Arrays and tables in a line.
    ("a = [1 2]", 1, 8), ("a = [,]", 1, 6), ("a = [1,,2]", 1, 8), ("a = [", 1, 6),
    ("a = {b = 1,}", 1, 12), ("a = {b = 1\n}", 1, 11), ("a = {b = 1, b = 2}", 1, 13),
    ("a = {b = {c = 1}, b.d = 2}", 1, 19), ("a = {,}", 1, 6), ("a = {", 1, 6),
    // Texts.
    ("a = \"b", 1, 5), ("a = \"b\n\"", 1, 5), ("a = 'b", 1, 5), ("a = \"\"\"b", 1, 5),
    ("a = '''b''", 1, 5), ("a = \"\\x41\"", 1, 6), ("a = \"\\u12\"", 1, 6), ("a = \"\\", 1, 6),
    ("a = \"\\uD800\"", 1, 6), ("a = \"\\U00110000\"", 1, 6), ("a = \"\\u+123\"", 1, 6),
    ("a = \"\u{0}\"", 1, 6), ("a = '\u{7F}'", 1, 6), ("a = \"\"\"b\\ c\"\"\"", 1, 9),
    ("a = \"\"\"\r\"\"\"", 1, 8), ("a = ''''''''''", 1, 13), ("# \u{1}", 1, 3), ("# a\rb", 1, 4),
    // Numbers and dates.
    ("a = 01", 1, 5), ("a = 1_", 1, 5), ("a = _1", 1, 5), ("a = 1__0", 1, 5), ("a = +0x1", 1, 5),
    ("a = 0x", 1, 5), ("a = 0X1", 1, 5), ("a = 0o8", 1, 5), ("a = 0b2", 1, 5), ("a = 0x_1", 1, 5),
    ("a = 1.", 1, 5), ("a = .5", 1, 5), ("a = 1.e3", 1, 5), ("a = 1e", 1, 5), ("a = 1e_3", 1, 5),
    ("a = 01.5", 1, 5), ("a = ++1", 1, 5), ("a = Inf", 1, 5), ("a = 1e1.5", 1, 5),
    ("a = 9223372036854775808", 1, 5), ("a = 0x8000000000000000", 1, 5), ("a = true1", 1, 5),
    ("a = True", 1, 5), ("a = 2026-02-29", 1, 5), ("a = 2026-13-01", 1, 5), ("a = 2026-1-1", 1, 5),
    ("a = 24:00:00", 1, 5), ("a = 10:00", 1, 5), ("a = 10:00:00.", 1, 5), ("a = 0000-01-01", 1, 5),
    ("a = 10:00:00Z", 1, 5), ("a = 2026-02-25T10:00:00+24:00", 1, 5),
    ("a = 2026-02-25 10", 1, 5), ("a = 2026-02-25T", 1, 5), ("a = 2026-02-25 x", 1, 16),
  ])
  func `a fault has its line and its column`(_ text: String, _ line: Int, _ column: Int) {
    let fault = #expect(throws: TOMLFault.self) { try TOMLReader.read(Array(text.utf8)) }
    #expect(fault?.line == line)
    #expect(fault?.column == column)
  }

  @Test func `what was expected is told beside what there is`() {
    let reasons = [
      ("a = [1 2]", "expected ',' or ']', found '2'"),
      ("[a\n", "expected ']', found the end of the line"),
      ("a", "expected '=', found the end of the file"),
      ("a = \u{1B}", "expected a value, found a control character (27)"),
      ("a = 99999999999999999999", "'99999999999999999999' does not fit in 64 bits"),
      ("a = nil", "'nil' is not a value"), ("[a.b]\n[a.b]", "'a.b' is already defined"),
    ]
    for (text, reason) in reasons {
      let fault = #expect(throws: TOMLFault.self) { try TOMLReader.read(Array(text.utf8)) }
      #expect(fault?.reason == reason)
    }
  }

  @Test func `bytes that are not UTF-8 are a fault of their line`() {
    let bytes = Array("a = 1\n# b\n".utf8) + [0x63, 0xC3, 0x28, 0x0A]
    let fault = #expect(throws: TOMLFault.self) { try TOMLReader.read(bytes) }
    #expect(fault == TOMLFault(line: 3, column: nil, reason: "the line is not UTF-8"))
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000), "a = " + String(repeating: "[", count: 100_000),
    "a = " + String(repeating: "{b = ", count: 100_000),
    "[" + String(repeating: "a.", count: 100_000) + "a]",
    String(repeating: "a.", count: 100_000) + "a = 1",
    (1...9).map { depth in
      "[" + Array(repeating: "a", count: depth * 10).joined(separator: ".") + "]"
    }
    .joined(separator: "\n"),
    String(repeating: "# ", count: 1 << 20),
  ])
  func `what is nested too deep or too long is a fault`(_ text: String) {
    #expect(throws: TOMLFault.self) { try TOMLReader.read(Array(text.utf8)) }
  }
}
