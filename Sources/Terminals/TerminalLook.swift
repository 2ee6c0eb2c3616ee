/// The character attributes that differ from their defaults.
///
/// They are set by SGR (ECMA-48, 8.3.117; xterm; kitty).
struct TerminalLook: Sendable {
  /// The changed attributes.
  ///
  /// One bit stands for all attributes that the same code resets.
  private var groups: UInt64 = 0

  /// `true` if any attribute differs from its default.
  var isChanged: Bool { groups != 0 }

  /// Applies an SGR sequence with the given parameters: digits, semicolons and colons.
  mutating func read(_ parameters: [UInt8]) {
    var value = 0
    /// The first value of the current parameter, if it has several values.
    var first: Int?
    /// The number of parameters that still belong to the current colour.
    ///
    /// It is negative until the kind of the colour is known.
    var left = 0
    for byte in parameters + [UInt8(ascii: ";")] {
      switch byte {
      case UInt8(ascii: ";"):
        if left < 0 {
          left = value == 5 ? 1 : value == 2 ? 3 : 0
        } else if left > 0 {
          left -= 1
        } else {
          apply(first ?? value, isNone: first == 4 && value == 0)
          if first == nil, [38, 48, 58].contains(value) { left = -1 }
        }
        value = 0
        first = nil
      case UInt8(ascii: ":"):
        first = first ?? value
        value = 0
      default: value = min(value * 10 + Int(byte & 0xF), 99_999)
      }
    }
  }

  /// Applies the given SGR code.
  private mutating func apply(_ code: Int, isNone: Bool) {
    guard code > 0 else {
      groups = 0
      return
    }
    if let undoing = Self.undoing(code) {
      if isNone { groups &= ~Self.bit(undoing) } else { groups |= Self.bit(undoing) }
    } else {
      groups &= ~Self.bit(code)
    }
  }

  /// Returns the bit for the attributes that the given code, from 10 to 75, changes.
  private static func bit(_ code: Int) -> UInt64 {
    10...75 ~= code ? 1 << UInt64((code - 10) % 64) : 0
  }

  /// Returns the code that undoes the given code; nil if that sets nothing.
  private static func undoing(_ code: Int) -> Int? {
    switch code {
    case 1, 2: 22
    case 3, 20: 23
    case 4, 21: 24
    case 5, 6: 25
    case 7, 8, 9: code + 20
    case 11...19: 10
    case 26: 50
    case 30...38, 90...97: 39
    case 40...48, 100...107: 49
    case 51, 52: 54
    case 53: 55
    case 58: 59
    case 60...64: 65
    case 73, 74: 75
    default: nil
    }
  }
}
