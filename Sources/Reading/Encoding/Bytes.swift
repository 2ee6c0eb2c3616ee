/// Whether a byte is ASCII whitespace as HTML means it.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
}

/// Whether a byte is an ASCII letter.
@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

/// Whether a byte is an ASCII digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// A 64-bit FNV-1a hash, extended one byte at a time; it tells short names apart.
struct NameHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  static func of(_ name: some Sequence<UInt8>) -> UInt64 {
    var hash = NameHash()
    for byte in name { hash.add(byte) }
    return hash.value
  }
}
