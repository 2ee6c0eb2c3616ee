import Core
import Cryptography
import Foundation
import TestSupport
import Testing

/// AES-GCM with the test cases of McGrew and Viega (The Galois/Counter Mode of Operation).
struct AESGCMTests {
  struct Case {
    var key: String
    var nonce: String
    var plain = ""
    var data = ""
    var cipher = ""
    var tag: String
  }

  private static let key = "feffe9928665731c6d6a8f9467308308"
  private static let plain =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
    + "b16aedf5aa0de657ba637b39"
  private static let zeros = String(repeating: "0", count: 32)

  @Test(arguments: [
    Case(key: zeros, nonce: String(zeros.prefix(24)), tag: "58e2fccefa7e3061367f1d57a4e7455a"),
    Case(
      key: zeros, nonce: String(zeros.prefix(24)), plain: zeros,
      cipher: "0388dace60b6a392f328c2b971b2fe78", tag: "ab6e47d42cec13bdf53a67b21257bddf"),
    Case(
      key: key, nonce: "cafebabefacedbaddecaf888", plain: plain,
      data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      cipher:
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
        + "1ba30b396a0aac973d58e091", tag: "5bc94fbc3221a5db94fae95ae7121a47"),
    Case(
      key: zeros + zeros, nonce: String(zeros.prefix(24)), tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    Case(
      key: zeros + zeros, nonce: String(zeros.prefix(24)), plain: zeros,
      cipher: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    Case(
      key: key + key, nonce: "cafebabefacedbaddecaf888", plain: plain,
      data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      cipher:
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
        + "c5f61e6393ba7a0abcc9f662", tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ])
  func `the published cases are sealed and opened`(test: Case) throws {
    let key = [UInt8](hexadecimal: test.key), data = [UInt8](hexadecimal: test.data)
    let plain = [UInt8](hexadecimal: test.plain)
    let sealed = try AESGCM.seal(
      plain, under: key, nonce: [UInt8](hexadecimal: test.nonce), authenticating: data)
    #expect(Array(sealed) == [UInt8](hexadecimal: test.nonce + test.cipher + test.tag))
    #expect(try AESGCM.open(sealed, under: key, authenticating: data) == Data(plain))
  }

  @Test func `each changed bit, each lost byte and other data are found`() throws {
    let key = RandomBytes.make(32)
    let sealed = Array(try AESGCM.seal(Data("secret".utf8), under: key, authenticating: [1, 2]))
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try AESGCM.open(changed, under: key, authenticating: [1, 2]) == nil)
    }
    for count in 0..<sealed.count {
      #expect(
        try AESGCM.open(Data(sealed.prefix(count)), under: key, authenticating: [1, 2]) == nil)
    }
    #expect(try AESGCM.open(sealed + [0], under: key, authenticating: [1, 2]) == nil)
    for data in [[], [1], [2, 1], [1, 2, 0]] as [[UInt8]] {
      #expect(try AESGCM.open(sealed, under: key, authenticating: data) == nil)
    }
    #expect(try AESGCM.open(sealed, under: RandomBytes.make(32), authenticating: [1, 2]) == nil)
    #expect(try AESGCM.open(sealed, under: key, authenticating: [1, 2]) == Data("secret".utf8))
  }

  @Test(arguments: [0, 15, 17, 24, 31, 33, 1000])
  func `a key of another size neither seals nor opens`(size: Int) throws {
    let key = [UInt8](repeating: 1, count: size)
    #expect(throws: Failure.self) { try AESGCM.seal([1], under: key) }
    #expect(try AESGCM.open([UInt8](repeating: 1, count: 40), under: key) == nil)
  }

  @Test(arguments: [0, 1, 11, 13, 16])
  func `a nonce of another size seals nothing`(size: Int) {
    #expect(throws: Failure.self) {
      try AESGCM.seal([1], under: RandomBytes.make(32), nonce: RandomBytes.make(size))
    }
  }

  @Test func `many bytes come back, and two seals differ`() throws {
    let (key, plain) = (RandomBytes.make(32), RandomBytes.make(1 << 18))
    let sealed = try AESGCM.seal(plain, under: key)
    #expect(sealed.count == plain.count + 28)
    #expect(try AESGCM.open(sealed, under: key).map(Array.init) == plain)
    #expect(try AESGCM.seal(plain, under: key) != sealed)
  }
}
