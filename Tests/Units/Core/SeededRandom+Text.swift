import TestSupport

extension SeededRandom {
  /// A short text of all planes, with what JSON escapes often in it.
  mutating func text() -> String {
    let special = Array("\n\r\t\0\"'\\/:{}[],\u{7F}\u{85}\u{2028}\u{FEFF}é💡".unicodeScalars)
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &self) {
      switch Int.random(in: 0..<4, using: &self) {
      case 0: scalars.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)) ?? "x")
      case 1: scalars.append(special.randomElement(using: &self) ?? "z")
      default: scalars.append(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &self)))
      }
    }
    return String(scalars)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// Nothing, one time in three.
  mutating func maybe<Value>(_ value: (inout SeededRandom) -> Value) -> Value? {
    chance(3) ? nil : value(&self)
  }
}
