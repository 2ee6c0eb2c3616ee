/// A gzip file of zero bytes, by RFC 1951 and RFC 1952: 13 bits for every 258 bytes.
func gzipOfZeros(_ count: Int) -> [UInt8] {
  precondition(count % 258 == 1, "one literal, then matches of 258")
  var bits = BitWriter()
  bits.write(0b011, 3)  // The last block, with the fixed codes.
  bits.writeCode(0b0011_0000, 8)  // The literal 0.
  for _ in 0..<(count / 258) {
    bits.writeCode(0b1100_0101, 8)  // A match of 258 bytes.
    bits.writeCode(0, 5)  // One byte back.
  }
  bits.writeCode(0, 7)  // The block's end.
  var check = ~UInt32(0)
  for _ in 0..<count { check = check >> 8 ^ checkTable[Int(check & 0xFF)] }
  check = ~check
  let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
  return header + bits.finished() + littleEndian(check) + littleEndian(UInt32(count))
}

private let checkTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(byte) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
}

private func littleEndian(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending = 0
  private var count = 0

  /// Writes a number, its lowest bit first.
  mutating func write(_ value: Int, _ width: Int) {
    pending |= value << count
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  /// Writes a Huffman code, its highest bit first.
  mutating func writeCode(_ code: Int, _ width: Int) {
    for bit in (0..<width).reversed() { write(code >> bit & 1, 1) }
  }

  consuming func finished() -> [UInt8] {
    count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes
  }
}
