/// The effects of the sequences that change a terminal (ECMA-48; DEC's VT510; xterm's ctlseqs;
/// kitty).
extension TerminalChanges {
  /// Records the effect of the escape sequence with the given bytes after ESC.
  mutating func record(escape intermediates: [UInt8], _ final: UInt8) {
    switch (intermediates.first, final) {
    case (nil, UInt8(ascii: "=")): set(.keypad, true)
    case (nil, UInt8(ascii: ">")): set(.keypad, false)
    case (nil, UInt8(ascii: "c")): reset()
    case (nil, UInt8(ascii: "n")), (nil, UInt8(ascii: "o")): set(.shift, true)
    case (UInt8(ascii: "("), _), (UInt8(ascii: ")"), _), (UInt8(ascii: "*"), _),
      (UInt8(ascii: "+"), _):
      let set = intermediates[0]
      self.set(.characters(set), intermediates.count > 1 || final != UInt8(ascii: "B"))
    case (UInt8(ascii: "%"), _): set(.encoding, final != UInt8(ascii: "G"))
    default: break
    }
  }

  /// Records the effect of the given control sequence.
  mutating func record(_ sequence: ControlSequence) {
    let value = sequence.value(0)
    switch (sequence.prefix, sequence.intermediates.first, sequence.final) {
    case (_, nil, UInt8(ascii: "h")): modes(sequence, isSet: true)
    case (_, nil, UInt8(ascii: "l")): modes(sequence, isSet: false)
    case (0, nil, UInt8(ascii: "r")):
      set(.scrollRegion, sequence.parameters.contains { $0[0] > 0 })
    case (0, UInt8(ascii: " "), UInt8(ascii: "q")): set(.cursorStyle, value > 0)
    case (0, UInt8(ascii: "\""), UInt8(ascii: "q")): set(.protection, value == 1)
    case (UInt8(ascii: ">"), nil, UInt8(ascii: "m")): keyFormat(value, sequence.value(1))
    // An absent value means off, which differs from the initial state.
    case (UInt8(ascii: ">"), nil, UInt8(ascii: "n")): set(.keyFormat(max(2, value)), true)
    case (UInt8(ascii: ">"), nil, UInt8(ascii: "u")): push(1)
    case (UInt8(ascii: "<"), nil, UInt8(ascii: "u")): push(-max(1, value))
    case (UInt8(ascii: "="), nil, UInt8(ascii: "u")): set(.keyFlags, value > 0)
    default: break
    }
  }

  private mutating func modes(_ sequence: ControlSequence, isSet: Bool) {
    for parameter in sequence.parameters where parameter[0] >= 0 {
      let number = parameter[0]
      switch sequence.prefix {
      case 0: set(.mode(number), isSet != (number == 12))
      case UInt8(ascii: "?") where !TerminalMode.unsettled.contains(number):
        set(.privateMode(number), isSet != TerminalMode(number).isUsuallySet)
        // The terminal discards the alternate screen's key flags with the screen.
        if !isAlternate { forgetKeyFlags(isAlternate: true) }
      default: break
      }
    }
  }

  private mutating func keyFormat(_ resource: Int, _ value: Int) {
    if resource >= 0 {
      set(.keyFormat(resource), value > 0)
    } else {
      for resource in 0...7 { set(.keyFormat(resource), false) }
    }
  }

  /// Records that keyboard flags were pushed (positive) or popped (negative) by kitty's protocol.
  private mutating func push(_ change: Int) {
    let count = min(max(0, forgetKeyFlags(isAlternate: isAlternate) + change), 99)
    if count > 0 { set(.pushedKeyFlags(isAlternate: isAlternate, count: count), true) }
  }

  private var isAlternate: Bool {
    TerminalMode.alternateScreens.contains { changed.contains(.privateMode($0)) }
  }

  /// Forgets the keyboard flags that were pushed on the given screen.
  ///
  /// - Returns: The number of pushed flags.
  @discardableResult
  private mutating func forgetKeyFlags(isAlternate: Bool) -> Int {
    for case .pushedKeyFlags(isAlternate, let count) in changed {
      set(.pushedKeyFlags(isAlternate: isAlternate, count: count), false)
      return count
    }
    return 0
  }

  /// Records the effect of the given operating system command (OSC), without introducer and
  /// terminator.
  mutating func record(command: [UInt8]) {
    let parts = command.split(
      separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
    guard let number = Int(String(decoding: parts[0], as: UTF8.self)) else { return }
    switch number {
    // A query changes nothing.
    case 4, 5, 10...19: set(.colour(number), parts.count > 1 && parts.last?.first != 0x3F)
    case 104, 105, 110...119: set(.colour(number - 100), false)
    case 8: set(.link, parts.count > 2 && !parts[2].isEmpty)
    case 22: set(.pointer, parts.count > 1 && !parts[1].isEmpty)
    default: break
    }
  }
}
