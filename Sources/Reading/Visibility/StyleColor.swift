/// CSS colours as 0xRRGGBB.
enum StyleColor {
  /// The value that stands for a colour that cannot be determined.
  ///
  /// Examples are images, variables and transparent colours.
  static let unknown: Int32 = -1
  static let white: Int32 = 0xFF_FFFF

  /// Returns the value of the given colour, which is a name or a number.
  static func value(_ text: ArraySlice<UInt8>) -> Int32 {
    if text.first == UInt8(ascii: "#") { return hexadecimal(text.dropFirst()) }
    if text.starts(with: "rgb".utf8) { return function(text) }
    return names[NameHash.of(text.prefix(24))] ?? unknown
  }

  /// Returns the colour in the given value of `background`; nil if it sets no colour.
  static func background(_ text: ArraySlice<UInt8>) -> Int32? {
    let first = text.prefix { !isSpace($0) }
    guard !first.isEmpty else { return nil }
    let isAlone = first.endIndex == text.endIndex
    if first.elementsEqual("transparent".utf8) || first.elementsEqual("none".utf8)
      || first.elementsEqual("inherit".utf8) || first.elementsEqual("initial".utf8)
    {
      return isAlone ? nil : unknown
    }
    if text.starts(with: "rgb".utf8) { return function(text) }
    return isAlone ? value(first) : unknown
  }

  /// Returns `true` if the given colours cannot be distinguished by eye.
  static func areAlike(_ first: Int32, _ second: Int32) -> Bool {
    guard first >= 0, second >= 0 else { return false }
    return stride(from: Int32(0), through: 16, by: 8).allSatisfy { shift in
      abs((first >> shift & 255) - (second >> shift & 255)) <= 4
    }
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> Int32 {
    let values = digits.compactMap { $0.digit(isHex: true) }
    guard values.count == digits.count else { return unknown }
    let isShort = values.count == 3 || values.count == 4
    guard isShort || values.count == 6 || values.count == 8 else { return unknown }
    let bytes =
      isShort
      ? values.map { $0 * 17 }
      : stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
    if bytes.count == 4, bytes[3] < 255 { return unknown }
    return Int32(bytes[0] << 16 | bytes[1] << 8 | bytes[2])
  }

  private static func function(_ text: ArraySlice<UInt8>) -> Int32 {
    guard let open = text.firstIndex(of: UInt8(ascii: "(")),
      let close = text[open...].firstIndex(of: UInt8(ascii: ")"))
    else { return unknown }
    let numbers = text[(open + 1)..<close]
      .split { isSpace($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "/") }
      .map { StyleLength.number($0) }
    guard numbers.count == 3 || numbers.count == 4 else { return unknown }
    var color: Int32 = 0
    for number in numbers.prefix(3) {
      guard let (value, unit) = number else { return unknown }
      let byte = unit == .percent ? value * 2.55 : value
      color = color << 8 | Int32(min(max(byte, 0), 255))
    }
    if numbers.count == 4 {
      guard let (alpha, unit) = numbers[3], alpha >= (unit == .percent ? 100 : 1) else {
        return unknown
      }
    }
    return color
  }

  /// The colour names that pages use.
  ///
  /// Other names of CSS count as unknown.
  private static let names = NameTable([
    (NameHash.of("white".utf8), Int32(0xFF_FFFF)), (NameHash.of("black".utf8), Int32(0)),
    (NameHash.of("snow".utf8), Int32(0xFF_FAFA)), (NameHash.of("ivory".utf8), Int32(0xFF_FFF0)),
    (NameHash.of("whitesmoke".utf8), Int32(0xF5_F5F5)),
    (NameHash.of("ghostwhite".utf8), Int32(0xF8_F8FF)),
    (NameHash.of("floralwhite".utf8), Int32(0xFF_FAF0)),
    (NameHash.of("azure".utf8), Int32(0xF0_FFFF)),
    (NameHash.of("mintcream".utf8), Int32(0xF5_FFFA)),
    (NameHash.of("seashell".utf8), Int32(0xFF_F5EE)), (NameHash.of("linen".utf8), Int32(0xFA_F0E6)),
    (NameHash.of("red".utf8), Int32(0xFF_0000)), (NameHash.of("green".utf8), Int32(0x00_8000)),
    (NameHash.of("lime".utf8), Int32(0x00_FF00)), (NameHash.of("blue".utf8), Int32(0x00_00FF)),
    (NameHash.of("navy".utf8), Int32(0x00_0080)), (NameHash.of("teal".utf8), Int32(0x00_8080)),
    (NameHash.of("aqua".utf8), Int32(0x00_FFFF)), (NameHash.of("cyan".utf8), Int32(0x00_FFFF)),
    (NameHash.of("silver".utf8), Int32(0xC0_C0C0)), (NameHash.of("gray".utf8), Int32(0x80_8080)),
    (NameHash.of("grey".utf8), Int32(0x80_8080)), (NameHash.of("maroon".utf8), Int32(0x80_0000)),
    (NameHash.of("purple".utf8), Int32(0x80_0080)), (NameHash.of("fuchsia".utf8), Int32(0xFF_00FF)),
    (NameHash.of("magenta".utf8), Int32(0xFF_00FF)), (NameHash.of("yellow".utf8), Int32(0xFF_FF00)),
    (NameHash.of("olive".utf8), Int32(0x80_8000)), (NameHash.of("orange".utf8), Int32(0xFF_A500)),
    (NameHash.of("beige".utf8), Int32(0xF5_F5DC)), (NameHash.of("gold".utf8), Int32(0xFF_D700)),
    (NameHash.of("pink".utf8), Int32(0xFF_C0CB)), (NameHash.of("lightgray".utf8), Int32(0xD3_D3D3)),
    (NameHash.of("lightgrey".utf8), Int32(0xD3_D3D3)),
    (NameHash.of("darkgray".utf8), Int32(0xA9_A9A9)),
    (NameHash.of("gainsboro".utf8), Int32(0xDC_DCDC)),
    (NameHash.of("lightyellow".utf8), Int32(0xFF_FFE0)),
  ])
}
