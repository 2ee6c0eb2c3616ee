import Core
import Terminals

/// The sequences that tmux(1) paints a screen with on a terminal of xterm's kind (its `tty.c`,
/// `tty-features.c`, terminfo(5)), and that do nothing to a terminal but that.
///
/// What they leave behind is what ``Terminals/TerminalChanges`` takes back.
enum ScreenSequence {
  /// What one does that has no prefix and no byte before its last one, by its last byte.
  private enum Parameters {
    /// Numbers of its own, so many at most.
    case atMost(Int)
    /// One of these, or none.
    case oneOf(ClosedRange<Int>)
    /// Any, with values after colons: what characters look like.
    case look
  }

  private static let plain: [UInt8: Parameters] = [
    // The cursor moves: up, down, right, left, by lines, to a column, to a place, by tabs.
    UInt8(ascii: "A"): .atMost(1), UInt8(ascii: "B"): .atMost(1), UInt8(ascii: "C"): .atMost(1),
    UInt8(ascii: "D"): .atMost(1), UInt8(ascii: "E"): .atMost(1), UInt8(ascii: "F"): .atMost(1),
    UInt8(ascii: "G"): .atMost(1), UInt8(ascii: "H"): .atMost(2), UInt8(ascii: "I"): .atMost(1),
    UInt8(ascii: "Z"): .atMost(1), UInt8(ascii: "`"): .atMost(1), UInt8(ascii: "a"): .atMost(1),
    UInt8(ascii: "d"): .atMost(1), UInt8(ascii: "e"): .atMost(1), UInt8(ascii: "f"): .atMost(2),
    // A part of the screen, or of a line, is erased; 3 would erase what was scrolled away.
    UInt8(ascii: "J"): .oneOf(0...2), UInt8(ascii: "K"): .oneOf(0...2),
    UInt8(ascii: "X"): .atMost(1),
    // Lines and characters are put in and taken out.
    UInt8(ascii: "@"): .atMost(1), UInt8(ascii: "L"): .atMost(1), UInt8(ascii: "M"): .atMost(1),
    UInt8(ascii: "P"): .atMost(1),
    // Lines scroll, in a region, between margins; five numbers with T would have the mouse told of.
    UInt8(ascii: "S"): .atMost(1), UInt8(ascii: "T"): .atMost(1), UInt8(ascii: "r"): .atMost(2),
    UInt8(ascii: "s"): .atMost(2),
    UInt8(ascii: "m"): .look,
  ]

  /// Of each last byte: how many numbers it takes at most; -1 for what does not paint, or takes others.
  private static let mostNumbers: [Int] = (0..<128).map { byte in
    switch plain[UInt8(byte)] {
    case .atMost(let count): count
    case .look: 64
    case .oneOf, nil: -1
    }
  }

  /// How long a sequence is that passes and is among those that come most often: a short cut, with
  /// nothing allocated.
  ///
  /// - Parameters:
  ///   - bytes: What came.
  ///   - start: Where ESC stands.
  /// - Returns: Its bytes; 0 for any other, or one that is not whole.
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

  /// What may pass of an escape sequence.
  ///
  /// - Parameter bytes: The bytes after ESC.
  /// - Returns: All of it, or nothing.
  static func allowed(escape bytes: some Collection<UInt8>) -> [UInt8] {
    switch String(decoding: bytes, as: UTF8.self) {
    // The next line, the one before; keys of the keypad; letters, or lines drawn with them.
    case "D", "E", "M", "=", ">", "(B", "(0", ")B", ")0": [0x1B] + bytes
    default: []
    }
  }

  /// What may pass of a control sequence.
  ///
  /// - Parameter bytes: The bytes after `ESC [`.
  /// - Returns: All of it, nothing, or those of its modes that may pass.
  static func allowed(control bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    guard let final = bytes.last, let sequence = ControlSequence(bytes.dropLast(), final) else {
      return []
    }
    if sequence.prefix == UInt8(ascii: "?") { return modes(of: sequence) }
    let isAllowed =
      switch (sequence.prefix, sequence.intermediates, final) {
      case (0, [], _): plain[final].map { has(sequence, $0) } ?? false
      // The shape of the cursor.
      case (0, [0x20], UInt8(ascii: "q")): has(sequence, .oneOf(0...6))
      // A rectangle is filled with blanks.
      case (0, [UInt8(ascii: "$")], UInt8(ascii: "x")):
        has(sequence, .atMost(5)) && sequence.parameters.count == 5 && sequence.value(0) == 32
      // Keys with Ctrl and the like are told of.
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

  /// A private sequence that sets or resets modes, with those alone that may pass.
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
