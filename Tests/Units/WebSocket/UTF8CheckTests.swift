import TestSupport
import Testing

@testable import WebSocket

@Suite struct UTF8CheckTests {
  private func isText(_ parts: [[UInt8]]) -> Bool {
    var check = UTF8Check()
    return parts.allSatisfy { part in part.withUnsafeBytes { check.accept($0) } }
      && check.isComplete
  }

  @Test func `It says of random bytes what the language says, however they are cut`() {
    var random = SeededRandom(seed: 3629)
    // Bytes at which the rules change, and what may follow them.
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var texts = 0
    for _ in 0..<50_000 {
      let count = Int.random(in: 0...12, using: &random)
      let bytes = (0..<count).map { _ in random.one(of: edges, else: 0) }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      texts += expected ? 1 : 0
      #expect(isText([bytes]) == expected)
      #expect(isText(bytes.map { [$0] }) == expected)
    }
    #expect(texts > 1000)
  }

  @Test func `Every character passes`() {
    var text = ""
    for value in 0...0x10FFFF {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    #expect(isText([Array(text.utf8)]))
  }
}
