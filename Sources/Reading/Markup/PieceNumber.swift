/// The index of a piece as a skeleton writes it: digits in base 32, the last one first, each one of
/// the bytes `@` to `_`, none of which means anything in markup.
struct PieceNumber {
  private(set) var value = 0
  private var shift = 0

  /// Whether no digit was taken in.
  var isEmpty: Bool { shift == 0 }

  /// Takes a digit in; false for a byte that is none, which ends the number.
  mutating func add(_ byte: UInt8) -> Bool {
    guard byte & 0xE0 == 0x40, shift < 60 else { return false }
    value |= Int(byte & 31) << shift
    shift += 5
    return true
  }

  /// Writes an index.
  static func append(_ index: Int, to skeleton: inout [UInt8]) {
    var rest = index
    repeat {
      skeleton.append(0x40 | UInt8(truncatingIfNeeded: rest & 31))
      rest >>= 5
    } while rest > 0
  }
}
