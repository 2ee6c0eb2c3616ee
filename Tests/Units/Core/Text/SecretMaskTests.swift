import TestSupport
import Testing

@testable import Core

struct SecretMaskTests {
  private static let secrets = [
    "mask-of-the-tests", "mask-of-the-tests-longer", "tests-longer-tail", "aaaaaab", "ünïcode-ß",
  ]

  init() {
    for secret in Self.secrets { Secrets.register(secret) }
  }

  @Test(
    arguments: [
      ("mask-of-the-tests", "[redacted]"), ("mask-of-the-test", "mask-of-the-test"),
      ("xmask-of-the-tests-longerx", "x[redacted]x"),
      ("mask-of-the-tests-longer-tail", "[redacted]-tail"),
      ("mask-of-the-tests-mask-of-the-tests", "[redacted]-[redacted]"),
      ("aaaaaaaaaab", "aaaa[redacted]"), ("", ""), ("ein ünïcode-ß!", "ein [redacted]!"),
    ])
  func `the leftmost secret goes, and the longest of those there`(text: String, shown: String) {
    #expect(Secrets.redacted(text) == shown)
  }

  @Test func `pieces add up to the whole text without secrets, wherever they are cut`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let secret = Self.secrets.randomElement(using: &random) ?? ""
        text += secret.prefix(Int.random(in: 0...secret.count, using: &random))
        if Bool.random(using: &random) { text += "-" }
      }
      var mask = SecretMask()
      var passed = ""
      var rest = Substring(text)
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...5, using: &random))
        passed += mask.mask(String(piece))
        for secret in Self.secrets { #expect(!passed.contains(secret)) }
        rest = rest.dropFirst(piece.count)
      }
      passed += mask.finish()
      #expect(passed == Secrets.redacted(text))
    }
  }
}
