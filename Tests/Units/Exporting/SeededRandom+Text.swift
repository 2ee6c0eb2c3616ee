import TestSupport

extension SeededRandom {
  /// A short text of all planes, with what is special in names, YAML and Markdown often in it.
  mutating func text() -> String {
    let special = Array(
      "\n\r\t\0\"'\\:#-_ ./?,[]{}&*!|>%@`~=<yn01e+\u{85}\u{2028}\u{FEFF}".unicodeScalars)
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &self) {
      switch Int.random(in: 0..<4, using: &self) {
      case 0: scalars.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)) ?? "x")
      case 1: scalars.append(Unicode.Scalar(UInt32.random(in: 0...0xFFFF, using: &self)) ?? "y")
      default: scalars.append(special.randomElement(using: &self) ?? "z")
      }
    }
    return String(scalars)
  }
}
