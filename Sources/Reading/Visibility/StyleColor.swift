/// Colours of CSS as 0xRRGGBB.
enum StyleColor {
  /// A colour that is set but not known: an image, a variable, a transparent one.
  static let unknown: Int32 = -1
  static let white: Int32 = 0xFF_FFFF

  /// A colour by its name or by numbers.
  static func value(_ text: ArraySlice<UInt8>) -> Int32 {
    if text.first == UInt8(ascii: "#") { return hexadecimal(text.dropFirst()) }
    if text.starts(with: "rgb".utf8) { return function(text) }
    return names[String(decoding: text.prefix(24), as: UTF8.self)] ?? unknown
  }

  /// The colour of a background, unless a picture lies over it; nil where none is said.
  static func background(_ text: ArraySlice<UInt8>) -> Int32? {
    let words = text.split(whereSeparator: isSpace)
    guard let first = words.first else { return nil }
    if first.elementsEqual("transparent".utf8) || first.elementsEqual("none".utf8)
      || first.elementsEqual("inherit".utf8) || first.elementsEqual("initial".utf8)
    {
      return words.count == 1 ? nil : unknown
    }
    if text.starts(with: "rgb".utf8) { return function(text) }
    return words.count == 1 ? value(first) : unknown
  }

  /// Whether nobody could tell two colours apart.
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

  /// The names that pages use; the others of CSS are as good as unknown.
  private static let names: [String: Int32] = [
    "white": 0xFF_FFFF, "black": 0, "snow": 0xFF_FAFA, "ivory": 0xFF_FFF0,
    "whitesmoke": 0xF5_F5F5, "ghostwhite": 0xF8_F8FF, "floralwhite": 0xFF_FAF0,
    "azure": 0xF0_FFFF, "mintcream": 0xF5_FFFA, "seashell": 0xFF_F5EE, "linen": 0xFA_F0E6,
    "red": 0xFF_0000, "green": 0x00_8000, "lime": 0x00_FF00, "blue": 0x00_00FF,
    "navy": 0x00_0080, "teal": 0x00_8080, "aqua": 0x00_FFFF, "cyan": 0x00_FFFF,
    "silver": 0xC0_C0C0, "gray": 0x80_8080, "grey": 0x80_8080, "maroon": 0x80_0000,
    "purple": 0x80_0080, "fuchsia": 0xFF_00FF, "magenta": 0xFF_00FF, "yellow": 0xFF_FF00,
    "olive": 0x80_8000, "orange": 0xFF_A500, "beige": 0xF5_F5DC, "gold": 0xFF_D700,
    "pink": 0xFF_C0CB, "lightgray": 0xD3_D3D3, "lightgrey": 0xD3_D3D3, "darkgray": 0xA9_A9A9,
    "gainsboro": 0xDC_DCDC, "lightyellow": 0xFF_FFE0,
  ]
}
