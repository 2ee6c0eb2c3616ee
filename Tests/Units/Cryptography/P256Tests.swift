import Core
import Cryptography
import Foundation
import TestSupport
import Testing

/// Keys, signatures and shared secrets on P-256, and bytes that are none.
struct P256Tests {
  /// RFC 6979, section A.2.5: the private key, the two coordinates, and the signatures with SHA-256.
  private static let number = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
  private static let x = "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
  private static let y = "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
  private static let signatures = [
    "sample": "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
      + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    "test": "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
      + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
  ]
  private static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
  private static let info = "3059301306072A8648CE3D020106082A8648CE3D030107034200"

  private func key(_ text: String) throws -> P256PublicKey? {
    try P256PublicKey([UInt8](hexadecimal: text))
  }

  @Test func `the signatures of RFC 6979 are their key's, and no others`() throws {
    let key = try #require(try key("04" + Self.x + Self.y))
    for (message, made) in Self.signatures {
      let (message, made) = (Array(message.utf8), [UInt8](hexadecimal: made))
      #expect(try key.isSignature(made, of: message))
      #expect(try !key.isSignature(made, of: message + [0]))
      for place in made.indices {
        var changed = made
        changed[place] ^= 0x10
        #expect(try !key.isSignature(changed, of: message))
      }
      for count in [0, 1, 63, 65, 128, 1 << 20] {
        let other = Array((made + [UInt8](repeating: 0, count: 1 << 20)).prefix(count))
        #expect(try !key.isSignature(other, of: message))
      }
    }
  }

  @Test func `numbers outside of the order sign nothing`() throws {
    let key = try #require(try key("04" + Self.x + Self.y))
    let (zero, one) = (String(repeating: "0", count: 64), String(repeating: "0", count: 63) + "1")
    let high = String(repeating: "F", count: 64)
    for r in [zero, one, Self.order, high] {
      for s in [zero, one, Self.order, high] {
        #expect(try !key.isSignature([UInt8](hexadecimal: r + s), of: [1]))
      }
    }
  }

  @Test func `one key has three forms`() throws {
    let forms = ["04" + Self.x + Self.y, "03" + Self.x, Self.info + "04" + Self.x + Self.y]
    for form in forms {
      #expect(try key(form)?.bytes == [UInt8](hexadecimal: "04" + Self.x + Self.y))
    }
    // The other point with this coordinate.
    let other = try #require(try key("02" + Self.x)?.bytes)
    #expect(other.prefix(33) == [UInt8](hexadecimal: "04" + Self.x)[...])
    #expect(other != [UInt8](hexadecimal: "04" + Self.x + Self.y))
  }

  @Test(arguments: [
    "", "00", "02", "04", "04" + x, "03" + y, "04" + x + x, "06" + x + y, "07" + x + y,
    "05" + x, "00" + x + y, "04" + x + y + "00", "03" + x + "00",
    "04" + String(repeating: "0", count: 128), "04" + String(repeating: "F", count: 128),
    "02" + String(repeating: "F", count: 64), "02" + order,
    // Infinity, a compressed point and a hybrid one in SubjectPublicKeyInfo.
    "3019301306072A8648CE3D020106082A8648CE3D03010703020000",
    "3039301306072A8648CE3D020106082A8648CE3D030107032200" + "03" + x,
    info + "06" + x + y, info + "04" + x + y + "00", info + "04" + x,
    // P-384, and a bit string with unused bits.
    "3059301306072A8648CE3D020106082A8648CE3D030122034200" + "04" + x + y,
    "3059301306072A8648CE3D020106082A8648CE3D030107034201" + "04" + x + y,
  ])
  func `what is not on the curve, or in no known form, is no key`(text: String) throws {
    // Half of all numbers are the x-coordinate of a point; this y is not.
    #expect(try key(text) == nil)
  }

  @Test func `random bytes are no keys`() throws {
    var random = SeededRandom(seed: 256)
    for count in [0, 1, 32, 33, 64, 65, 66, 90, 91, 92, 10_000] {
      for _ in 0..<20 {
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        if count == 65 { bytes[0] = 4 }
        if count == 91 { bytes.replaceSubrange(0..<26, with: [UInt8](hexadecimal: Self.info)) }
        if count != 33 { #expect(try P256PublicKey(bytes) == nil) }
        if count != 32 { #expect(try P256PrivateKey(bytes) == nil) }
      }
    }
  }

  @Test func `a private key is a number below the order`() throws {
    let key = try #require(try P256PrivateKey([UInt8](hexadecimal: Self.number)))
    #expect(key.publicKey.bytes == [UInt8](hexadecimal: "04" + Self.x + Self.y))
    var last = [UInt8](hexadecimal: Self.order)
    #expect(try P256PrivateKey(last) == nil)
    last[31] -= 1
    #expect(try P256PrivateKey(last)?.bytes == last)
    #expect(try P256PrivateKey([UInt8](repeating: 0, count: 32)) == nil)
    #expect(try P256PrivateKey([UInt8](repeating: 0xFF, count: 32)) == nil)
    #expect(try P256PrivateKey([UInt8](repeating: 0, count: 31) + [1]) != nil)
  }

  @Test func `what a new key signs is its own`() throws {
    for _ in 0..<200 {
      let key = try P256PrivateKey()
      let message = RandomBytes.make(Int.random(in: 0...300))
      let signature = try key.signature(of: message)
      #expect(signature.count == 64)
      #expect(try key.publicKey.isSignature(signature, of: message))
      #expect(try P256PublicKey(key.publicKey.bytes) == key.publicKey)
      #expect(try !P256PrivateKey().publicKey.isSignature(signature, of: message))
    }
  }

  @Test func `the secret of RFC 5903 is shared`() throws {
    let one = try #require(
      try P256PrivateKey(
        [UInt8](hexadecimal: "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")))
    let other = try #require(
      try P256PrivateKey(
        [UInt8](hexadecimal: "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53")))
    #expect(
      other.publicKey.bytes
        == [UInt8](
          hexadecimal: "04D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63"
            + "56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB"))
    let secret = [UInt8](
      hexadecimal: "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
    #expect(try one.sharedSecret(with: other.publicKey) == secret)
    #expect(try other.sharedSecret(with: one.publicKey) == secret)
  }

  // MARK: PEM

  private static func pem(_ label: String, _ der: String) -> String {
    let base64 = Data([UInt8](hexadecimal: der))
      .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
  }

  private static let curve = "A00A06082A8648CE3D030107"
  private static let algorithm = "301306072A8648CE3D020106082A8648CE3D030107"
  private static let point = "A144034200" + "04" + x + y

  @Test(arguments: [
    // As Apple and `openssl pkcs8` write it; then without the public key, and as SEC 1 has it.
    pem("PRIVATE KEY", "308187020100" + algorithm + "046D306B0201010420" + number + point),
    pem("PRIVATE KEY", "3041020100" + algorithm + "042730250201010420" + number),
    pem("EC PRIVATE KEY", "30770201010420" + number + curve + point),
    pem("EC PRIVATE KEY", "30310201010420" + number + curve),
  ])
  func `a key is read from PEM`(text: String) throws {
    for text in [text, text.replacing("\n", with: "\r\n"), "\n" + text.dropLast()] {
      #expect(try P256PrivateKey(pem: text)?.bytes == [UInt8](hexadecimal: Self.number))
    }
  }

  @Test(arguments: [
    "", "x", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n?\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
    pem("ENCRYPTED PRIVATE KEY", "3041020100" + algorithm + "042730250201010420" + number),
    pem("PUBLIC KEY", info + "04" + x + y), pem("PRIVATE KEY", info + "04" + x + y),
    pem("PRIVATE KEY", "302E020100300506032B657004220420" + number),
    pem("EC PRIVATE KEY", "302E0201010420" + number + "A00706052B8104000A"),
    pem("EC PRIVATE KEY", "30310201010420" + order + curve),
    pem("EC PRIVATE KEY", "30310201010420" + String(repeating: "0", count: 64) + curve),
    pem("EC PRIVATE KEY", "3031020101042"),
  ])
  func `another text is no key on P-256`(text: String) throws {
    #expect(try P256PrivateKey(pem: text) == nil)
  }
}
