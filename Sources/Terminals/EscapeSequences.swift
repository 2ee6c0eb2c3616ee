/// The removal of escape sequences from text (ECMA-48, 5.3 to 5.6; ISO 2022).
public enum EscapeSequences {
  /// Returns the given text without its control sequences, control strings and shifts.
  ///
  /// If a control string is not terminated, only its introducer is removed, so that the rest of the
  /// text stays visible.
  public static func removed(from text: String) -> String {
    guard text.utf8.contains(where: mayBegin) else { return text }
    return String(decoding: removed(from: Array(text.utf8)), as: UTF8.self)
  }

  /// Returns the given UTF-8 bytes without their control sequences, control strings and shifts.
  public static func removed(from bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: mayBegin) else { return bytes }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let end = mayBegin(bytes[index]) ? end(at: index, in: bytes) : index
      if end == index { plain.append(bytes[index]) }
      index = max(end, index + 1)
    }
    return plain
  }

  /// Returns `true` if an escape sequence may begin with the given byte.
  ///
  /// This is true of ESC, the shifts, and the first byte of C1 controls, with which other
  /// characters may also begin.
  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte == 0x1B || byte == 0xC2 || byte & 0xFE == 0x0E
  }

  /// Returns the index after the sequence that begins at `start`; `start` itself if none begins
  /// there.
  private static func end(at start: Int, in bytes: [UInt8]) -> Int {
    switch bytes[start] {
    case 0x1B:
      guard start + 1 < bytes.count else { return start + 1 }
      let next = bytes[start + 1]
      // ESC and a byte from 4/0 to 5/15 form a C1 control.
      if 0x40...0x5F ~= next { return end(ofControl: next, from: start + 2, in: bytes) }
      let final = bytes[(start + 1)...].drop { 0x20...0x2F ~= $0 }
      return final.startIndex + (final.first.map { 0x30...0x7E ~= $0 } ?? false ? 1 : 0)
    case 0xC2:
      guard start + 1 < bytes.count, 0x80...0x9F ~= bytes[start + 1] else { return start }
      return end(ofControl: bytes[start + 1] - 0x40, from: start + 2, in: bytes)
    default: return start + 1
    }
  }

  private static func end(ofControl control: UInt8, from start: Int, in bytes: [UInt8]) -> Int {
    switch control {
    case UInt8(ascii: "["):
      let rest = bytes[start...].drop { 0x30...0x3F ~= $0 }.drop { 0x20...0x2F ~= $0 }
      return rest.startIndex + (rest.first.map { 0x40...0x7E ~= $0 } ?? false ? 1 : 0)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      return end(ofStringFrom: start, in: bytes) ?? start
    default: return start
    }
  }

  /// Returns the index after the terminator of the control string that begins at `start`.
  ///
  /// It is nil if another sequence comes first.
  private static func end(ofStringFrom start: Int, in bytes: [UInt8]) -> Int? {
    var index = start
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch bytes[index] {
      case 0x07: return index + 1
      case 0x18, 0x1A: return nil
      case 0x1B: return next == UInt8(ascii: "\\") ? index + 2 : nil
      case 0xC2 where 0x80...0x9F ~= next: return next == 0x9C ? index + 2 : nil
      default: index += 1
      }
    }
    return nil
  }
}
