import Foundation
import TestSupport
import Testing

@testable import Core

struct RawRecordTests {
  private func isJSONObject(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
  }

  @Test func `a record of any valid form is accepted`() throws {
    var json = RandomJSON(random: SeededRandom(seed: 1))
    for _ in 0..<3000 {
      let text = json.record()
      let record = try RawRecord(line: text)
      #expect(record.type == "kind")
      #expect(record.bytes == text)
    }
  }

  @Test func `whatever is accepted is JSON to another parser too`() {
    var json = RandomJSON(random: SeededRandom(seed: 2))
    var accepted = 0
    for _ in 0..<20_000 {
      let text = json.mutated(json.record())
      guard (try? RawRecord(line: text)) != nil else { continue }
      // The grammar allows half of a surrogate pair and any exponent; the other parser does not.
      let shown = String(decoding: text, as: UTF8.self)
      guard !shown.contains("\\ud"), !shown.contains(/[eE][+-]?[0-9]{3}/) else { continue }
      accepted += 1
      #expect(isJSONObject(text), "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(accepted > 1000)
  }

  @Test func `a mutated text that is refused is no record to another parser either`() {
    var json = RandomJSON(random: SeededRandom(seed: 3))
    for _ in 0..<20_000 {
      let text = json.mutated(json.record())
      guard (try? RawRecord(line: text)) == nil else { continue }
      let object = (try? JSONSerialization.jsonObject(with: Data(text))) as? [String: Any]
      // Foundation also reads UTF-16, and a comma before a closing bracket.
      let shown = String(decoding: text, as: UTF8.self)
      let isStrict = !text.contains(0) && !shown.contains(/,[ \t]*[}\]]/)
      guard isStrict, object?["type"] as? String == "kind" else { continue }
      Issue.record("refused: \(shown)")
    }
  }

  @Test func `random bytes are refused, never fatal`() {
    var random = SeededRandom(seed: 4)
    for length in 0..<2000 {
      let bytes = random.bytes(length % 64)
      #expect(throws: Failure.self) { try RawRecord(line: bytes) }
    }
  }

  @Test(arguments: [
    "", " ", "{", "}", "[]", "\"type\"", "null", "{}", "{\"type\":1}", "{\"type\":\"\"}",
    "{\"type\":null}", "{\"type\":\"a\"", "{\"type\":\"a\"}}", "{\"type\":\"a\"} x",
    "{\"type\":\"a\",}", "{,\"type\":\"a\"}", "{\"type\" \"a\"}", "{'type':'a'}",
    "{\"type\":\"a\",\"b\":01}", "{\"type\":\"a\",\"b\":-}", "{\"type\":\"a\",\"b\":1.}",
    "{\"type\":\"a\",\"b\":.5}", "{\"type\":\"a\",\"b\":1e}", "{\"type\":\"a\",\"b\":+1}",
    "{\"type\":\"a\",\"b\":NaN}", "{\"type\":\"a\",\"b\":tru}", "{\"type\":\"a\",\"b\":\"\\x\"}",
    "{\"type\":\"a\",\"b\":\"\\u12g4\"}", "{\"type\":\"a\",\"b\":\"\\u12\"}",
    "{\"type\":\"a\",\"b\":\"\t\"}", "{\"type\":\"a\",\"b\":[1 2]}", "{\"type\":\"a\",\"b\":[1,]}",
    "{\"type\":\"a\",\"b\":{\"c\"}}", "{\"type\":\"a\",\"b\":[}", "{\"type\":\"a\",\"b\":\"",
    "{\"type\":\"a\\", "{\"type\":\"a\"}\u{0}",
  ])
  func `a line that is no record is bad input`(line: String) {
    let failure = #expect(throws: Failure.self) {
      try RawRecord(line: Array(line.utf8), source: "<stdin>:7")
    }
    #expect(failure?.code == .badInput)
    #expect(failure?.input == "<stdin>:7")
  }

  @Test func `bytes that are not UTF-8 are bad input`() {
    let line = Array("{\"type\":\"a\",\"b\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
    #expect(throws: Failure(.badInput, "the line is not UTF-8", input: "")) {
      try RawRecord(line: line)
    }
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func `nesting is bounded`(open: String, close: String) throws {
    func line(_ depth: Int) -> [UInt8] {
      let nest =
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      return Array("{\"type\":\"a\",\"b\":\(nest)}".utf8)
    }
    _ = try RawRecord(line: line(256))
    #expect(throws: Failure.self) { try RawRecord(line: line(257)) }
    #expect(throws: Failure.self) { try RawRecord(line: line(1_000_000)) }
  }

  @Test func `escapes in names and strings are resolved`() throws {
    let record = try RawRecord(
      line: Array(#"{"\u0074ype":"st\u0061ge","a\/b":"\"\\\b\f\n\r\té\ud83d\ude00"}"#.utf8))
    #expect(record.type == "stage")
    #expect(record.string("a/b") == "\"\\\u{8}\u{C}\n\r\té😀")
  }

  @Test func `a lone surrogate becomes a replacement character`() throws {
    let record = try RawRecord(line: Array(#"{"type":"a","b":"x\ud800y","c":"\udc00"}"#.utf8))
    #expect(record.string("b") == "x\u{FFFD}y")
    #expect(record.string("c") == "\u{FFFD}")
  }

  @Test func `of two members with one name the later counts, decoded or not`() throws {
    let raw = try RawRecord(
      line: Array(#"{"type":"x","url":"a","type":"url","url":"b"}"#.utf8))
    #expect(raw.type == "url")
    #expect(raw.string("url") == "b")
    #expect(try URLRecord(raw).url == "b")
  }

  @Test func `null is as good as absent`() throws {
    let record = try RawRecord(line: Array(#"{"type":"a","b":null,"c":0}"#.utf8))
    #expect(!record.contains("b"))
    #expect(record.contains("c"))
    #expect(!record.contains("d"))
  }
}
