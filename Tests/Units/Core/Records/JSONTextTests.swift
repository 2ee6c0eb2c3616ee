import Core
import Foundation
import TestSupport
import Testing

/// JSON from servers.
struct JSONTextTests {
  private func value(_ text: String) -> JSONValue? { JSONText.value(Array(text.utf8)) }

  @Test func `texts are read as the standard says`() {
    #expect(
      value(#" {"a":[1,-0.5e1,true,false,null,""]} "#)
        == .object([
          "a": .array([.int(1), .double(-5), .bool(true), .bool(false), .null, .string("")])
        ]))
    #expect(
      value(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\udc00""#)
        == .string("\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}x\u{FFFD}"))
    #expect(value("9223372036854775807") == .int(.max))
    #expect(value("9223372036854775808") == .double(9_223_372_036_854_775_808))
    for text in [
      "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "1e", "1e999",
      "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\u{1}\"", "[] []", "[1 2]", "NaN", "'a'",
    ] {
      #expect(value(text) == nil, "\(text)")
    }
    #expect(JSONText.value([0x22, 0xFF, 0x22]) == nil)
  }

  @Test func `depth is limited`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(value(nested(200)) != nil)
    #expect(value(nested(201)) == nil)
    #expect(value(String(repeating: "{\"a\":", count: 1_000_000)) == nil)
  }

  @Test func `what is written is read as it was, and broken texts do no harm`() throws {
    var random = SeededRandom(seed: 29)
    for _ in 0..<2000 {
      let whole = random.value(4)
      var bytes = try RecordJSON.line(of: whole)
      #expect(JSONText.value(bytes) == whole)
      for _ in 0..<3 where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
        _ = JSONText.value(bytes)
      }
    }
  }
}

extension SeededRandom {
  /// Returns a value of at most the given depth.
  fileprivate mutating func value(_ depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2: return .int(Int.random(in: .min ... .max, using: &self))
    case 3: return .double(Double.random(in: -1...1, using: &self))
    case 4: return .string(text())
    case 5:
      return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth - 1) })
    default:
      return .object(
        Dictionary(
          (0..<Int.random(in: 0...4, using: &self)).map { _ in (text(), value(depth - 1)) }
        ) { $1 })
    }
  }
}
