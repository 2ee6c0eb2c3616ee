import TOML
import Testing

/// What each form of TOML says.
@Suite struct TOMLValueTests {
  private func value(_ text: String, _ path: String...) throws -> TOMLValue {
    var value = TOMLValue.table(try TOMLReader.read(Array(text.utf8)))
    for name in path {
      guard case .table(let table) = value else { throw TOMLFault(line: 0, reason: name) }
      value = try #require(table[name]?.value)
    }
    return value
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("+99", 99), ("1_000", 1000), ("0xDEAD_beef", 0xDEAD_BEEF),
    ("0o755", 0o755),
    ("0b1101", 0b1101), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ("0x7FFFFFFFFFFFFFFF", .max), ("0x00", 0),
  ])
  func `whole numbers`(_ text: String, _ number: Int64) throws {
    #expect(try value("a = \(text)", "a") == .integer(number))
  }

  @Test(arguments: [
    ("1.0", 1), ("3.1415", 3.1415), ("-0.01", -0.01), ("5e+22", 5e22), ("1e06", 1e6),
    ("-2E-2", -2e-2),
    ("6.626e-34", 6.626e-34), ("224_617.445_991_228", 224_617.445_991_228), ("inf", .infinity),
    ("-inf", -.infinity), ("+inf", .infinity), ("1e999", .infinity),
  ])
  func `numbers with a fraction`(_ text: String, _ number: Double) throws {
    #expect(try value("a = \(text)", "a") == .float(number))
  }

  @Test(arguments: [
    #""a""#: "a", #""\b\t\n\f\r\"\\\u00e9\U0001F600""#: "\u{8}\t\n\u{C}\r\"\\é😀",
    #"'a\b'"#: #"a\b"#,
    "\"\"": "", "''": "", "\"\"\"\"\"\"": "", "''''''": "", "\"\"\"\na\"\"\"": "a",
    "\"\"\"a\r\nb\"\"\"": "a\nb", "'''\r\na\r\n'''": "a\n", "\"\"\"a\"\"\"\"\"": "a\"\"",
    "'''a''b'''''": "a''b''", "\"\"\"a \\  \n \n\t b\"\"\"": "a b", "\"\"\"a\\\r\n  b\"\"\"": "ab",
    "'''a\\\nb'''": "a\\\nb", "\"tab\there\"": "tab\there", "'e\u{301}'": "e\u{301}",
  ])
  func `texts`(_ text: String, _ wanted: String) throws {
    let found = try value("a = \(text)", "a")
    guard case .string(let found) = found else {
      Issue.record("no text: \(found)")
      return
    }
    #expect(Array(found.utf8) == Array(wanted.utf8))
  }

  @Test(arguments: [
    "1979-05-27T07:32:00Z", "1979-05-27T00:32:00.999999-07:00", "1979-05-27 07:32:00z",
    "1979-05-27T07:32:00", "1979-05-27", "2000-02-29", "07:32:00", "00:32:00.999999",
    "1979-05-27t07:32:00+23:59",
  ])
  func `dates and times, as they are written`(_ text: String) throws {
    #expect(try value("a = \(text) # day", "a") == .instant(text))
    #expect(try value("a = [\(text)]", "a").items == [.instant(text)])
  }

  @Test func `arrays span lines, hold comments, and may end with a comma`() throws {
    let text = "a = [ # one\n  1, # two\r\n\n  [2, \"b\"], {c = true},\n]"
    let items = try value(text, "a").items
    #expect(items.count == 3)
    #expect(items.first == .integer(1))
    #expect(items.dropFirst().first?.items == [.integer(2), .string("b")])
    #expect(try value("a = []", "a").items.isEmpty)
  }

  @Test func `tables of headers, of dotted keys, in a line and in lists`() throws {
    let text = """
      a.b = 1
      a."c d".e = 2
      f = {g.h = 3, i = {}}
      [j . 'k' . l]
      m = 4
      [j]
      n.o = 5
      [[p]]
      q = 6
      [p.r]
      s = 7
      [[p]]
      q = 8
      [j.k]
      t = 9
      """
    #expect(try value(text, "a", "b") == .integer(1))
    #expect(try value(text, "a", "c d", "e") == .integer(2))
    #expect(try value(text, "f", "g", "h") == .integer(3))
    #expect(try value(text, "j", "k", "l", "m") == .integer(4))
    #expect(try value(text, "j", "n", "o") == .integer(5))
    #expect(try value(text, "j", "k", "t") == .integer(9))
    #expect(try value(text, "p").items.count == 2)
  }

  @Test func `names that only Unicode holds for equal are two`() throws {
    let table = try TOMLReader.read(Array("\"é\" = 1\n\"e\u{301}\" = 2\n".utf8))
    #expect(table["é"]?.value == .integer(1))
    #expect(table["e\u{301}"]?.value == .integer(2))
  }

  @Test func `a value knows its line`() throws {
    let table = try TOMLReader.read(Array("\u{FEFF}# a\r\n\r\n[b]\nc = [\n1,\n2]\n".utf8))
    #expect(table["b"]?.line == 3)
    guard case .table(let b) = table["b"]?.value else {
      Issue.record("no table")
      return
    }
    #expect(b["c"]?.line == 4)
    guard case .array(let items) = b["c"]?.value else {
      Issue.record("no list")
      return
    }
    #expect(items.map(\.line) == [5, 6])
  }

  @Test func `any bytes are read or refused`() {
    var random = SystemRandomNumberGenerator()
    let pieces = Array("[]{}=.,#\"'\\\n\r\t ab019_-+:eTZuxnif\u{0}é".unicodeScalars).map {
      Array(String($0).utf8)
    }
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<24, using: &random) {
        bytes += pieces.randomElement(using: &random) ?? []
      }
      _ = try? TOMLReader.read(bytes)
    }
  }
}

extension TOMLValue {
  /// The values of a list; none of another value.
  fileprivate var items: [TOMLValue] {
    guard case .array(let items) = self else { return [] }
    return items.map(\.value)
  }
}
