import Core
import Cryptography
import TestSupport
import Testing

/// Ed25519, and the digests that libcrypto computes.
struct Ed25519Tests {
  /// RFC 8032, section 7.1: seed, public key, message, signature.
  @Test(arguments: [
    [
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
  ])
  func `the signatures of RFC 8032 are made and verified`(texts: [String]) throws {
    let test = texts.map { [UInt8](hexadecimal: $0) }
    let (seed, key, message, made) = (test[0], test[1], test[2], test[3])
    #expect(try Ed25519.publicKey(seed: seed) == key)
    #expect(try Ed25519.signature(of: message, seed: seed) == made)
    #expect(try Ed25519.isSignature(made, of: message, by: key))
    #expect(try !Ed25519.isSignature(made, of: message + [0], by: key))
    for place in made.indices {
      var changed = made
      changed[place] ^= 1
      #expect(try !Ed25519.isSignature(changed, of: message, by: key))
    }
    for count in [0, 1, 63, 65, 1 << 20] {
      let other = Array((made + [UInt8](repeating: 0, count: 1 << 20)).prefix(count))
      #expect(try !Ed25519.isSignature(other, of: message, by: key))
    }
  }

  @Test(arguments: [0, 1, 31, 33, 64, 1 << 20])
  func `bytes of another size are no key`(count: Int) throws {
    let bytes = [UInt8](repeating: 9, count: count)
    #expect(try Ed25519.publicKey(seed: bytes) == nil)
    #expect(try Ed25519.signature(of: [], seed: bytes) == nil)
    #expect(try !Ed25519.isSignature([UInt8](repeating: 0, count: 64), of: [], by: bytes))
  }

  @Test func `a key that is not on the curve signs nothing`() throws {
    // y = 2 has no x.
    for key in [[2] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0xFF, count: 32)] {
      #expect(try !Ed25519.isSignature([UInt8](repeating: 1, count: 64), of: [1], by: key))
    }
  }

  @Test func `the digests have their examples, and HMAC with SHA-1 those of RFC 2202`() throws {
    let abc = Array("abc".utf8)
    #expect(
      try LibCrypto.digest(.sha1, of: abc)
        == [UInt8](hexadecimal: "a9993e364706816aba3e25717850c26c9cd0d89d"))
    #expect(
      try LibCrypto.digest(.sha1, of: [])
        == [UInt8](hexadecimal: "da39a3ee5e6b4b0d3255bfef95601890afd80709"))
    #expect(
      try LibCrypto.digest(.sha512, of: abc)
        == [UInt8](
          hexadecimal:
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ))
    let code = try LibCrypto.code(
      .sha1, of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(code == [UInt8](hexadecimal: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    #expect(
      try LibCrypto.code(.sha1, of: [], key: [])
        == [UInt8](hexadecimal: "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"))
  }
}
