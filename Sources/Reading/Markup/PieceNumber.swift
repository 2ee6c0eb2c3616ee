/// The index of a piece in the form that a skeleton contains.
///
/// It consists of digits in base 32, with the lowest first. A digit is one of the bytes `@` to `_`,
/// which have no meaning in markup.
struct PieceNumber {
  private(set) var value = 0
  private var shift = 0

  /// `true` if no digit was added yet.
  var isEmpty: Bool { shift == 0 }

  /// Adds the given digit.
  ///
  /// - Returns: `false` if the byte is not a digit and therefore ends the number.
  mutating func add(_ byte: UInt8) -> Bool {
    guard byte & 0xE0 == 0x40, shift < 60 else { return false }
    value |= Int(byte & 31) << shift
    shift += 5
    return true
  }

  /// Appends the given index to the given skeleton.
  static func append(_ index: Int, to skeleton: inout [UInt8]) {
    var rest = index
    repeat {
      skeleton.append(0x40 | UInt8(truncatingIfNeeded: rest & 31))
      rest >>= 5
    } while rest > 0
  }
}
