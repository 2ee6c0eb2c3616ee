import Cryptography
import Foundation
import Signing
import Testing

struct DeviceKeyTests {
  /// RFC 8032, section 7.1: public key, message, signature.
  @Test(arguments: [
    (
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ])
  func `the signatures of RFC 8032 are their keys'`(key: String, message: String, made: String)
    throws
  {
    let key = try DeviceKey(bytes(key))
    #expect(try key.isSignature(bytes(made), of: bytes(message)))
    #expect(try !key.isSignature(bytes(made), of: bytes(message) + [0]))
    #expect(try !key.isSignature(Array(bytes(made).reversed()), of: bytes(message)))
    #expect(try !key.isSignature([], of: bytes(message)))
  }

  @Test func `one key of ed25519 is one device, however it is written`() throws {
    let raw = try #require(try Ed25519.publicKey(seed: Ed25519.makeSeed()))
    let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    let info = Data(head + raw).base64EncodedString()
    let blob = Data(string("ssh-ed25519") + string(raw)).base64EncodedString()
    let url = Data(raw).base64EncodedString().replacing("+", with: "-")
      .replacing("/", with: "_").replacing("=", with: "")
    let ids = try [
      Data(raw).base64EncodedString(), url, info,
      "-----BEGIN PUBLIC KEY-----\n\(info)\n-----END PUBLIC KEY-----\n",
      "-----BEGIN PUBLIC KEY-----\r\n\(info)\r\n-----END PUBLIC KEY-----",
      "ssh-ed25519 \(blob) me@phone", "ssh-ed25519 \(blob)",
    ].map { text in
      let read = try DeviceKey(text)
      #expect(read?.kind == .ed25519)
      return read?.id
    }
    #expect(Set(ids).count == 1)
    #expect(ids[0]?.count == 16)
  }

  @Test func `one key of P-256 is one device, however it is written`() throws {
    let point = try P256PrivateKey().publicKey.bytes
    let info = bytes("3059301306072A8648CE3D020106082A8648CE3D030107034200") + point
    let text = Data(info).base64EncodedString()
    let blob = string("ecdsa-sha2-nistp256") + string("nistp256") + string(point)
    let ids = try [
      Data(point).base64EncodedString(),
      Data([2 + point[64] % 2] + point[1...32]).base64EncodedString(), text,
      "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n",
      "ecdsa-sha2-nistp256 \(Data(blob).base64EncodedString()) me@phone",
    ].map { text in
      let read = try DeviceKey(text)
      #expect(read?.kind == .p256)
      return read?.id
    }
    #expect(Set(ids).count == 1)
  }

  @Test(arguments: ["x", "a phone", "ssh-rsa AAAA x", "-----BEGIN PUBLIC KEY-----", "äöü", "===="])
  func `whatever else is sent names a device and signs nothing`(text: String) throws {
    let key = try #require(try DeviceKey(text))
    #expect(key.kind == .opaque)
    #expect(try !key.isSignature([UInt8](repeating: 0, count: 64), of: []))
    #expect(try key.id == DeviceKey(" \(text)\n")?.id)
  }

  @Test func `no text and four kilobytes are no key`() throws {
    #expect(try DeviceKey("") == nil)
    #expect(try DeviceKey(" \n") == nil)
    #expect(try DeviceKey(String(repeating: "a", count: 4096))?.kind == .opaque)
    #expect(try DeviceKey(String(repeating: "a", count: 4097)) == nil)
  }

  @Test func `random bytes are read without harm`() throws {
    for count in 0..<200 {
      let raw = (0..<count).map { _ in UInt8.random(in: 0...255) }
      let isBlank = String(decoding: raw, as: UTF8.self).allSatisfy(\.isWhitespace)
      for text in [Data(raw).base64EncodedString(), String(decoding: raw, as: UTF8.self)] {
        let blob = "ssh-ed25519 " + Data(raw).base64EncodedString()
        for text in [text, blob, "-----BEGIN X-----\n\(text)\n-----END X-----"] {
          // One random byte may be a space, and blank text is no key.
          #expect(try DeviceKey(text).map { $0.id.count == 16 } ?? isBlank)
        }
      }
    }
  }

  private func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  /// A string of SSH (RFC 4251, section 5).
  private func string(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
  private func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }
}
