/// Appends the given UTF-8 text without characters that a model would read but a person cannot see.
///
/// The removed characters are C0 and C1 controls, bidirectional controls, zero-width characters,
/// the soft hyphen, the byte order mark, the fillers of Hangul, the marks of annotations and of
/// music, U+FFFE and U+FFFF, and all of U+E0000…U+E0FFF. The joiners U+200C and U+200D are kept
/// after a letter of a script that uses them, and within emoji. The variation selectors
/// U+180B…U+180D and U+FE00…U+FE0F are kept after a character that they can vary. If several
/// modifiers follow each other, only one is kept.
///
/// - Returns: The number of characters that were removed.
func appendCleaned(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) -> Int {
  var removed = 0
  var start = 0
  var index = 0
  while index < text.count {
    let byte = text[index]
    guard mayBeInvisible(byte) else {
      index += 1
      continue
    }
    let length = invisibleLength(text, at: index)
    if length == 0 || length < 0 && allowsModifier(text, at: index) {
      index += max(1, abs(length))
      continue
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
    index += abs(length)
    start = index
    removed += 1
  }
  output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  return removed
}

extension [UInt8] {
  /// Removes the characters that ``appendCleaned(_:to:)`` omits, from the index `start` on.
  ///
  /// - Returns: The number of characters that were removed.
  mutating func removeInvisible(from start: Int) -> Int {
    guard self[start...].mayHoldInvisible else { return 0 }
    let text = Array(self[start...])
    removeSubrange(start...)
    return text.withUnsafeBufferPointer { appendCleaned($0, to: &self) }
  }
}

extension ArraySlice<UInt8> {
  /// `true` if the text may contain an invisible character.
  ///
  /// ASCII is checked eight bytes at a time.
  fileprivate var mayHoldInvisible: Bool {
    withUnsafeBytes { bytes in
      var index = 0
      while index < bytes.count {
        if index + 8 <= bytes.count {
          let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          // Sets a bit for each byte below 0x20, above 0x7F, or equal to 0x7F (Mycroft's test for
          // bytes).
          let unusual = (word &- 0x2020_2020_2020_2020) | word | (word &+ 0x0101_0101_0101_0101)
          if unusual & 0x8080_8080_8080_8080 == 0 {
            index += 8
            continue
          }
        }
        let end = Swift.min(index + 8, bytes.count)
        while index < end {
          if mayBeInvisible(bytes[index]) { return true }
          index += 1
        }
      }
      return false
    }
  }
}

/// Returns `true` if the given byte may begin an invisible character.
@inline(__always)
private func mayBeInvisible(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x09, 0x0A, 0x0C, 0x0D: false
  case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
  default: false
  }
}

/// Returns the length of the invisible character at the given index.
///
/// It is 0 if the character is visible. It is negative if the character may modify the one before
/// it.
private func invisibleLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }
  switch text[index] {
  case 0x09, 0x0A, 0x0C, 0x0D: return 0
  case 0..<0x20, 0x7F: return 1
  // U+0080…U+009F and the soft hyphen.
  case 0xC2: return byte(1) &- 0x80 < 0x20 || byte(1) == 0xAD ? 2 : 0
  // U+034F, the grapheme joiner.
  case 0xCD: return byte(1) == 0x8F ? 2 : 0
  // U+061C, the Arabic letter mark.
  case 0xD8: return byte(1) == 0x9C ? 2 : 0
  case 0xE1:
    switch (byte(1), byte(2)) {
    // The fillers U+115F and U+1160, the inherent vowels U+17B4 and U+17B5, U+180E.
    case (0x85, 0x9F), (0x85, 0xA0), (0x9E, 0xB4), (0x9E, 0xB5), (0xA0, 0x8E): return 3
    case (0xA0, 0x8B...0x8D), (0xA0, 0x8F): return -3
    default: return 0
    }
  case 0xE2:
    switch (byte(1), byte(2)) {
    case (0x80, 0x8C), (0x80, 0x8D): return -3
    case (0x80, 0x8B...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA0...0xAF): return 3
    default: return 0
    }
  // U+3164, a filler.
  case 0xE3: return byte(1) == 0x85 && byte(2) == 0xA4 ? 3 : 0
  case 0xEF:
    switch (byte(1), byte(2)) {
    // U+FEFF, the filler U+FFA0, the annotations U+FFF9…U+FFFB, U+FFFE and U+FFFF.
    case (0xBB, 0xBF), (0xBE, 0xA0), (0xBF, 0xB9...0xBB), (0xBF, 0xBE...0xBF): return 3
    case (0xB8, 0x80...0x8F): return -3
    default: return 0
    }
  // U+1D173…U+1D17A, the beams and slurs of music.
  case 0xF0:
    return byte(1) == 0x9D && byte(2) == 0x85 && (0xB3...0xBA).contains(byte(3)) ? 4 : 0
  // U+E0000…U+E0FFF, tags and variation selectors, begin F3 A0.
  case 0xF3: return byte(1) == 0xA0 ? 4 : 0
  default: return 0
  }
}

/// Returns `true` if the modifier at the given index can apply to the character before it.
///
/// Joiners and variation selectors can follow characters from U+0600 on. Punctuation and other
/// modifiers are exceptions. A variation selector can also follow the digits and signs of keycaps.
private func allowsModifier(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  var lead = index - 1
  while lead > 0, text[lead] & 0xC0 == 0x80 { lead -= 1 }
  guard lead >= 0 else { return false }
  let isSelector = text[index] == 0xEF
  if text[lead] < 0x80 {
    return isSelector && (isDigit(text[lead]) || text[lead] == 0x23 || text[lead] == 0x2A)
  }
  // U+00A9 and U+00AE have a form as emoji.
  if text[lead] < 0xD8 { return isSelector && text[lead] == 0xC2 }
  // An emoji's selector may itself be followed by a joiner.
  if text[lead] == 0xEF, lead + 1 < text.count, text[lead + 1] == 0xB8 { return !isSelector }
  if isSelector, text[lead] == 0xE2, lead + 2 < text.count {
    return !(text[lead + 1] == 0x80 && text[lead + 2] < 0x90)
  }
  return !(text[lead] == 0xE2 && lead + 1 < text.count && text[lead + 1] & 0xFE == 0x80)
    && invisibleLength(text, at: lead) == 0
}
