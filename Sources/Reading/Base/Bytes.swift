/// Returns `true` if the given byte is ASCII whitespace, as defined by HTML.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
}

/// Returns `true` if the given byte is an ASCII letter.
@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

/// Returns `true` if the given byte is an ASCII digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// A 64-bit FNV-1a hash of a short name.
///
/// Bytes are added to it one at a time.
struct NameHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  init() {}

  init(of name: some Sequence<UInt8>) {
    for byte in name { add(byte) }
  }

  static func of(_ name: some Sequence<UInt8>) -> UInt64 { NameHash(of: name).value }
}

extension ArraySlice<UInt8> {
  /// The bytes without ASCII whitespace at either end.
  var trimmedSpace: ArraySlice<UInt8> {
    let start = drop(while: isSpace)
    return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? []
  }

  /// The number of bytes that are not ASCII whitespace.
  var visibleCount: Int32 {
    withUnsafeBufferPointer { bytes in
      var count: Int32 = 0
      for byte in bytes { count &+= isSpace(byte) ? 0 : 1 }
      return count
    }
  }
}

/// A set of ASCII characters.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: StaticString) {
    for byte in characters.bytes {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}

/// Returns the given text with each run of Unicode whitespace replaced by one space.
///
/// Whitespace at both ends is removed.
func collapsedSpace(_ text: some Collection<UInt8>) -> String {
  var output: [UInt8] = []
  output.reserveCapacity(text.count)
  let bytes = Array(text)
  var index = 0
  while index < bytes.count {
    let length = spaceLength(bytes, at: index)
    if length == 0 {
      output.append(bytes[index])
      index += 1
    } else {
      if let last = output.last, last != 0x20 { output.append(0x20) }
      index += length
    }
  }
  if output.last == 0x20 { output.removeLast() }
  return String(decoding: output, as: UTF8.self)
}

/// Returns the length of the White_Space character at the given index; 0 for any other character.
private func spaceLength(_ bytes: [UInt8], at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 {
    index + offset < bytes.count ? bytes[index + offset] : 0
  }
  switch bytes[index] {
  case 0x09...0x0D, 0x20: return 1
  case 0xC2: return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0
  case 0xE1: return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0
  case 0xE2:
    switch (byte(1), byte(2)) {
    case (0x80, 0x80...0x8A), (0x80, 0xA8...0xA9), (0x80, 0xAF), (0x81, 0x9F): return 3
    default: return 0
    }
  case 0xE3: return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0
  default: return 0
  }
}
