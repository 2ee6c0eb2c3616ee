import Foundation

/// SHA-256 digests (FIPS 180-4), as bytes and in the text forms that records and fingerprints use.
public enum SHA256Digest {
  /// Returns the digest of the given bytes: 32 bytes.
  public static func bytes(_ message: [UInt8]) -> [UInt8] {
    let whole = message.count & ~63
    // The last blocks: a one bit, zeros, and the number of bits (section 5.1.1).
    var end = message[whole...] + [0x80]
    end += repeatElement(0, count: (120 - end.count % 64) % 64)
    withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { end += $0 }
    var hash = SIMD8<UInt32>(
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
      0x5BE0_CD19)
    message.withUnsafeBytes { add(.init(rebasing: $0[..<whole]), to: &hash) }
    end.withUnsafeBytes { add($0, to: &hash) }
    return (0..<8).flatMap { index in withUnsafeBytes(of: hash[index].bigEndian) { Array($0) } }
  }

  /// Returns the digest of the given bytes: 64 hexadecimal digits in lower case.
  public static func hexadecimal(_ message: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes(message).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// Returns the digest of the given bytes in base64 without padding: 43 characters.
  public static func base64(_ message: [UInt8]) -> String {
    String(Data(bytes(message)).base64EncodedString().prefix { $0 != "=" })
  }

  /// Adds blocks of 64 bytes to the given hash value (section 6.2.2).
  private static func add(_ blocks: UnsafeRawBufferPointer, to hash: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for start in stride(from: 0, to: blocks.count, by: 64) {
        for t in 0..<16 {
          let word = blocks.loadUnaligned(fromByteOffset: start &+ 4 &* t, as: UInt32.self)
          schedule[t] = word.bigEndian
        }
        for t in 16..<64 {
          let (early, late) = (schedule[t &- 15], schedule[t &- 2])
          let mixed = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
          schedule[t] =
            schedule[t &- 16] &+ mixed &+ schedule[t &- 7]
            &+ (rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10)
        }
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        // Four rounds at a time take half as long, because the compiler then unrolls them.
        for group in stride(from: 0, to: 64, by: 4) {
          for t in group..<group &+ 4 {
            let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum &+ (e & f ^ ~e & g) &+ constants[t] &+ schedule[t]
            let second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second &+ majority)
          }
        }
        hash &+= SIMD8(a, b, c, d, e, f, g, h)
      }
    }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}
