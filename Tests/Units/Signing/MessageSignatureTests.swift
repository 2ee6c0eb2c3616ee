import Core
import Cryptography
import Foundation
import HubWords
import Signing
import Testing

struct MessageSignatureTests {
  /// The request of RFC 9421, appendix B.2.
  static let example = SignedMessage(
    method: "POST", authority: "example.com", path: "/foo", query: "param=Value&Pet=dog",
    fields: [
      ("Host", "example.com"), ("Date", "Tue, 20 Apr 2021 02:07:55 GMT"),
      ("Content-Type", "application/json"),
      (
        "Content-Digest",
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
      ),
      ("Content-Length", "18"),
    ])
  static let body = Array(#"{"hello": "world"}"#.utf8)
  static let key = "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="
  static let input =
    #"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#
  static let signature =
    "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:"

  @Test func `the signature of RFC 9421 B 2 6 is its key's`() throws {
    let signature = try #require(MessageSignature(input: Self.input, signature: Self.signature))
    let key = try #require(try DeviceKey(Self.key))
    #expect(try signature.isBy(key, of: Self.example))
    #expect(signature.created == 1_618_884_473)
    #expect(signature.keyId == "test-key-ed25519")
  }

  @Test func `what a string of a field cannot hold is signed by nobody`() throws {
    for text in ["a\r\nX: y", "a\";tag=\"b", "a\\", "ä", "a\u{7F}"] {
      for (id, nonce) in [(text, "n"), ("a", text)] {
        let signature = try MessageSignature(
          Self.example, covering: ["@method"], keyId: id, created: 1, nonce: nonce
        ) { _ in [] }
        #expect(signature == nil)
      }
      #expect(!SigningInvitation.isKeyId(text))
    }
    #expect(SigningInvitation.isKeyId("01a2055f-b247-7000-8719-b0c8f4f3f613"))
    #expect(!SigningInvitation.isKeyId("") && !SigningInvitation.isKeyId("mac"))
  }

  @Test func `each part that is covered matters`() throws {
    let signature = try #require(MessageSignature(input: Self.input, signature: Self.signature))
    let key = try #require(try DeviceKey(Self.key))
    let changes: [(inout SignedMessage) -> Void] = [
      { $0.method = "PUT" }, { $0.path = "/fo" }, { $0.authority = "example.org" },
      { $0.fields[1].value = "Tue, 20 Apr 2021 02:07:56 GMT" }, { $0.fields[4].value = "19" },
      { $0.fields.removeLast() }, { $0.fields.append(("content-type", "text/html")) },
    ]
    for change in changes {
      var message = Self.example
      change(&message)
      #expect(try !signature.isBy(key, of: message))
    }
    // What is not covered does not.
    var message = Self.example
    message.query = nil
    #expect(try signature.isBy(key, of: message))
  }

  @Test(arguments: DeviceKey.Kind.allCases)
  func `what a device signs is judged by its key, and no other`(kind: DeviceKey.Kind) throws {
    let (seed, p256) = (Ed25519.makeSeed(), try P256PrivateKey())
    let (bytes, sign): ([UInt8]?, ([UInt8]) throws(Failure) -> [UInt8]?) =
      switch kind {
      case .ed25519:
        (
          try Ed25519.publicKey(seed: seed),
          { (message) throws(Failure) in try Ed25519.signature(of: message, seed: seed) }
        )
      case .p256:
        (
          p256.publicKey.bytes,
          { (message) throws(Failure) in try p256.signature(of: message) }
        )
      case .opaque: (Array("what else".utf8), { _ in Array(repeating: 0, count: 64) })
      }
    let text = Data(try #require(bytes)).base64EncodedString()
    let key = try #require(try DeviceKey(text))
    #expect(key.kind == kind)
    let message = SignedMessage(
      method: "POST", authority: "Host:7878", path: "/companion/disconnect", query: "a=%2F&b",
      fields: [("content-digest", ContentDigest.field(Self.body))])
    let made = try #require(
      try MessageSignature(
        message, covering: ["@method", "@authority", "@path", "@query", "content-digest"],
        keyId: key.id, created: 1_700_000_000, nonce: "n1", by: sign))
    let read = try #require(
      MessageSignature(input: made.fields[0].value, signature: made.fields[1].value))
    #expect(read == made)
    #expect(try read.isBy(key, of: message) == (kind != .opaque))
    let other = try DeviceKey(RandomBytes.make(32))
    #expect(try !read.isBy(other, of: message))
  }

  @Test(arguments: [
    ("", ""), ("sig", "sig=:AA==:"), ("sig=(\"@method\")", "sig=AA"), ("sig=()", "other=:AA==:"),
    ("sig=(\"@method\" \"@method\")", "sig=:AA==:"), ("sig=(\"@method\";req)", "sig=:AA==:"),
    ("sig=(\"@Method\")", "sig=:AA==:"), ("sig=(method)", "sig=:AA==:"),
    ("sig=(\"@method\");created=\"1\"", "sig=:AA==:"), ("sig=(\"@method\");new=1", "sig=:AA==:"),
    ("a=(\"@method\"),b=(\"@path\")", "a=:AA==:,b=:AA==:"), ("sig=(\"@method\"", "sig=:AA==:"),
    ("sig=(\"@method\")", "sig=:AA==:;a"),
  ])
  func `what is malformed, or more than this version knows, is no signature`(
    input: String, signature: String
  ) {
    #expect(MessageSignature(input: input, signature: signature) == nil)
  }

  @Test func `a digest is that of its body alone`() throws {
    let field = Self.example.fields[3].value
    #expect(try ContentDigest.matches(field, Self.body))
    #expect(try !ContentDigest.matches(field, Self.body + [0x20]))
    let own = ContentDigest.field(Self.body)
    #expect(own == "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:")
    #expect(try ContentDigest.matches("\(field), \(own), md5=:AAAA:", Self.body))
    #expect(try !ContentDigest.matches("\(field), sha-256=:AAAA:", Self.body))
    #expect(try !ContentDigest.matches("md5=:AAAA:", Self.body))
    #expect(try !ContentDigest.matches("", Self.body))
  }
}
