import Core
import Terminals

/// The escape sequences with which tmux(1) paints a screen on an xterm-like terminal.
///
/// Only sequences without other effects are permitted (tmux's `tty.c` and `tty-features.c`;
/// terminfo(5)). ``Terminals/TerminalChanges`` undoes the effects that outlast the painting.
enum ScreenSequence {
  /// The parameters that a control sequence may have.
  private enum Parameters {
    /// Up to the given number of integers are permitted.
    case atMost(Int)
    /// One integer in the given range is permitted, or none.
    case oneOf(ClosedRange<Int>)
    /// Any parameters of character attributes are permitted, also with colons.
    case look
  }

  private static let plain: [UInt8: Parameters] = [
    // Cursor movement: up, down, right, left, by lines, to a column, to a position, by tabs.
    UInt8(ascii: "A"): .atMost(1), UInt8(ascii: "B"): .atMost(1), UInt8(ascii: "C"): .atMost(1),
    UInt8(ascii: "D"): .atMost(1), UInt8(ascii: "E"): .atMost(1), UInt8(ascii: "F"): .atMost(1),
    UInt8(ascii: "G"): .atMost(1), UInt8(ascii: "H"): .atMost(2), UInt8(ascii: "I"): .atMost(1),
    UInt8(ascii: "Z"): .atMost(1), UInt8(ascii: "`"): .atMost(1), UInt8(ascii: "a"): .atMost(1),
    UInt8(ascii: "d"): .atMost(1), UInt8(ascii: "e"): .atMost(1), UInt8(ascii: "f"): .atMost(2),
    // Erasure of a part of the screen or a line; 3 would erase the scrollback.
    UInt8(ascii: "J"): .oneOf(0...2), UInt8(ascii: "K"): .oneOf(0...2),
    UInt8(ascii: "X"): .atMost(1),
    // Insertion and deletion of lines and characters.
    UInt8(ascii: "@"): .atMost(1), UInt8(ascii: "L"): .atMost(1), UInt8(ascii: "M"): .atMost(1),
    UInt8(ascii: "P"): .atMost(1),
    // Scrolling in a region, and margins; T with five integers would enable mouse tracking.
    UInt8(ascii: "S"): .atMost(1), UInt8(ascii: "T"): .atMost(1), UInt8(ascii: "r"): .atMost(2),
    UInt8(ascii: "s"): .atMost(2),
    UInt8(ascii: "m"): .look,
  ]

  /// The maximum number of integers in a sequence, indexed by its final byte.
  ///
  /// It is -1 if the sequence is not permitted or has other rules.
  private static let mostNumbers: [Int] = (0..<128).map { byte in
    switch plain[UInt8(byte)] {
    case .atMost(let count): count
    case .look: 64
    case .oneOf, nil: -1
    }
  }

  /// Returns the length of the sequence at `start`, if it is a common permitted one.
  ///
  /// This is a fast path without allocations.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - start: The index of ESC.
  /// - Returns: The number of bytes in the sequence; 0 if it is incomplete or not a common one.
  static func plainLength(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    guard start + 2 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else { return 0 }
    var at = start + 2
    var numbers = 1
    var digits = 0
    var hasColon = false
    while at < bytes.count, at - start < 128 {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if digits > 5 { return 0 }
      case UInt8(ascii: ";"):
        numbers += 1
        digits = 0
      case UInt8(ascii: ":"):
        hasColon = true
        digits = 0
      case 0x40...0x7E:
        let passes = numbers <= mostNumbers[Int(byte)] && (!hasColon || byte == UInt8(ascii: "m"))
        return passes ? at - start : 0
      default: return 0
      }
    }
    return 0
  }

  private static let modes = Set(TerminalMode.known.filter(\.isForScreens).map(\.number))

  /// Returns the permitted part of the given escape sequence.
  ///
  /// - Parameter bytes: The bytes after ESC.
  /// - Returns: The whole sequence if it is permitted; no bytes otherwise.
  static func allowed(escape bytes: some Collection<UInt8>) -> [UInt8] {
    switch String(decoding: bytes, as: UTF8.self) {
    // Index and reverse index; keypad modes; ASCII or line drawing characters.
    case "D", "E", "M", "=", ">", "(B", "(0", ")B", ")0": [0x1B] + bytes
    default: []
    }
  }

  /// Returns the permitted part of the given control sequence.
  ///
  /// - Parameter bytes: The bytes after `ESC [`.
  /// - Returns: The whole sequence, the sequence with only its permitted modes, or no bytes.
  static func allowed(control bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    guard let final = bytes.last, let sequence = ControlSequence(bytes.dropLast(), final) else {
      return []
    }
    if sequence.prefix == UInt8(ascii: "?") { return modes(of: sequence) }
    let isAllowed =
      switch (sequence.prefix, sequence.intermediates, final) {
      case (0, [], _): plain[final].map { has(sequence, $0) } ?? false
      // The cursor's shape.
      case (0, [0x20], UInt8(ascii: "q")): has(sequence, .oneOf(0...6))
      // A rectangle filled with blanks.
      case (0, [UInt8(ascii: "$")], UInt8(ascii: "x")):
        has(sequence, .atMost(5)) && sequence.parameters.count == 5 && sequence.value(0) == 32
      // Reporting of keys with modifiers.
      case (UInt8(ascii: ">"), [], UInt8(ascii: "m")):
        has(sequence, .atMost(2)) && sequence.value(0) == 4 && sequence.value(1) < 4
      default: false
      }
    return isAllowed ? Array("\u{1B}[".utf8) + bytes : []
  }

  private static func has(_ sequence: ControlSequence, _ wanted: Parameters) -> Bool {
    let arePlain = sequence.parameters.allSatisfy { $0.count == 1 }
    switch wanted {
    case .atMost(let count): return arePlain && sequence.parameters.count <= count
    case .oneOf(let values):
      return arePlain && sequence.parameters.count <= 1
        && values.contains(max(0, sequence.value(0)))
    case .look: return true
    }
  }

  /// Returns the given sequence with only its permitted modes.
  ///
  /// The sequence sets or resets private modes.
  private static func modes(of sequence: ControlSequence) -> [UInt8] {
    let isMode = sequence.final == UInt8(ascii: "h") || sequence.final == UInt8(ascii: "l")
    guard isMode, sequence.intermediates.isEmpty else { return [] }
    let numbers = sequence.parameters.compactMap {
      $0.count == 1 && modes.contains($0[0]) ? $0[0] : nil
    }
    guard !numbers.isEmpty else { return [] }
    let list = numbers.map(String.init).joined(separator: ";")
    return Array("\u{1B}[?\(list)".utf8) + [sequence.final]
  }
}
