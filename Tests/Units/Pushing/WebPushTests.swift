import Core
import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Pushing

/// Push messages, as the example of RFC 8291 has them and as other implementations read them.
struct WebPushTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.bytes(text))
  }

  @Test func `the example of RFC 8291 is encrypted byte for byte`() throws {
    let body = try WebPushCipher.body(
      Array("When I grow up, I want to be a watermelon".utf8),
      for: Self.bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
      Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"),
      ephemeral: #require(
        try P256PrivateKey(Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))),
      salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(
      Base64URL.text(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
        + "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV"
        + "WGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test func `a key that is not on the curve, or compressed, is refused`() throws {
    let key = try P256PrivateKey()
    let point = key.publicKey.bytes
    for other in [[4] + [UInt8](repeating: 7, count: 64), [], [2 + point[64] % 2] + point[1...32]] {
      let failure = #expect(throws: Failure.self) {
        try WebPushCipher.body([1], for: other, [1, 2], ephemeral: key)
      }
      #expect(failure?.code == .badInput)
    }
  }

  @Test func `a key has one form`() throws {
    for wrong in ["", "x", "AAAA", String(repeating: "A", count: 43), "-----BEGIN EC PRIVATE KEY"] {
      #expect(throws: Failure.self) { try VAPIDKey(secret: wrong) }
    }
    let secret = Base64URL.text(try P256PrivateKey().bytes)
    #expect(try VAPIDKey(secret: secret).publicKey == VAPIDKey(secret: secret).publicKey)
  }

  private struct Case: Encodable {
    var `private`: String
    var secret: String
    var body: String
    var message: String
    var authorization: String
    var origin: String
    var contact: String?
  }

  private static let python = Checkout.root.path + "/.build/venv-page/bin/python"

  @Test(.enabled(if: access(python, X_OK) == 0, "http_ece is not installed in .build/venv-page"))
  func `others read what is sent, and verify who sends it`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    var lines: [UInt8] = []
    let count = 1000
    for index in 0..<count {
      let message = (0..<Int.random(in: 0...WebPushCipher.longest, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let key = try P256PrivateKey()
      let secret = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      let sender = try VAPIDKey(
        secret: Base64URL.text(P256PrivateKey().bytes))
      let contact = index.isMultiple(of: 2) ? "mailto:ops@example.org" : nil
      let made = Case(
        private: Base64URL.text(key.bytes), secret: Base64URL.text(secret),
        body: Base64URL.text(
          try WebPushCipher.body(
            message, for: key.publicKey.bytes, secret, ephemeral: P256PrivateKey())),
        message: Base64URL.text(message),
        authorization: try sender.authorization(for: "https://push.example", contact: contact),
        origin: "https://push.example", contact: contact)
      lines += try JSONEncoder().encode(made) + [0x0A]
    }
    let home = try Home()
    let (input, output) = (home.path + "/messages", home.path + "/count")
    try Data(lines).write(to: URL(filePath: input))
    let child = try Child(
      [
        "sh", "-c", "exec \"$0\" \"$1\" <\"$2\" >\"$3\" 2>&1", Self.python,
        Checkout.root.path + "/Tests/Endurance/Page/push_judge.py", input, output,
      ], environment: ProcessInfo.processInfo.environment, folder: home.path, streams: [:])
    _ = await child.ended()
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "\(count)\n", "seed \(seed)")
  }
}
