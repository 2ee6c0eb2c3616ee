import Foundation
import TestSupport
import Testing

@testable import MCP

/// The encoding of values in header fields.
struct FieldValueTests {
  @Test(arguments: [
    ("us-west1", "us-west1"),
    ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
    (" padded ", "=?base64?IHBhZGRlZCA=?="),
    ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
    ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
  ])
  func `the examples of the specification`(value: String, field: String) {
    #expect(FieldValue.encoded(value) == field)
  }

  @Test(arguments: ["", "us west 1", "=?base64?open", "=?BASE64?a?=", "?=", "~!@#$%^&*()"])
  func `a value that servers read as it is stays`(value: String) {
    #expect(FieldValue.encoded(value) == value)
  }

  @Test(arguments: ["\tindented", "a\tb", "line1\r\nline2", "\u{7F}", "é", " ", "\u{0}"])
  func `a value that a field cannot hold is encoded`(value: String) {
    #expect(FieldValue.encoded(value).hasPrefix("=?base64?"))
  }

  @Test func `any value comes back, in visible ASCII`() {
    var random = SeededRandom(seed: 29)
    let pieces = ["=?base64?", "?=", " ", "\t", "\r\n", "a", "Ω", "\u{301}", "🙂", "\u{0}"]
    for _ in 0..<5000 {
      let count = Int.random(in: 0...6, using: &random)
      let value = (0..<count).map { _ in random.one(of: pieces, else: "") }.joined()
      let field = FieldValue.encoded(value)
      #expect(field.utf8.allSatisfy { 0x20...0x7E ~= $0 })
      #expect(decoded(field).map { Array($0.utf8) } == Array(value.utf8))
    }
  }

  /// Returns what a server makes of a field's value.
  private func decoded(_ field: String) -> String? {
    guard field.hasPrefix("=?base64?"), field.hasSuffix("?="), field.utf8.count >= 11 else {
      return field
    }
    return Data(base64Encoded: String(field.dropFirst(9).dropLast(2)))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
