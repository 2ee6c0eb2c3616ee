import TestSupport
import Testing

@testable import Pushing

/// RFC 5869, appendix A: the first three cases.
struct HKDFSHA256Tests {
  @Test(
    arguments: [
      (
        [UInt8](0...12), [UInt8](0xF0...0xF9), [UInt8](repeating: 0x0B, count: 22),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        [UInt8](0x60...0xAF), [UInt8](0xB0...0xFF), [UInt8](0...0x4F),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
          + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
      ),
      (
        [], [], [UInt8](repeating: 0x0B, count: 22),
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ] as [([UInt8], [UInt8], [UInt8], String)])
  func `the keys of RFC 5869 are derived`(
    salt: [UInt8], info: [UInt8], input: [UInt8], key: String
  ) {
    let expected = [UInt8](hexadecimal: key)
    #expect(
      HKDFSHA256.key(from: input, salt: salt, info: info, count: expected.count) == expected)
  }
}
