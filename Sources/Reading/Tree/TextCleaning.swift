/// Appends UTF-8 text without the characters that no reader sees but a model would read.
///
/// Taken out: C0 and C1 controls, bidirectional controls, zero-width characters, the soft hyphen,
/// the byte order mark, and the tag characters U+E0000…U+E007F. The joiners U+200C and U+200D stay
/// behind a letter of a script that is spelled with them, and within emoji: one at a time.
///
/// - Returns: How many characters were taken out.
func appendCleaned(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) -> Int {
  var removed = 0
  var start = 0
  var index = 0
  while index < text.count {
    let byte = text[index]
    // Every character to be looked at begins with one of few bytes.
    guard byte < 0x20 || byte == 0x7F || byte >= 0xC2 else {
      index += 1
      continue
    }
    let length = invisibleLength(text, at: index)
    if length == 0 || length < 0 && keepsJoiner(text, before: index) {
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

/// The bytes of an invisible character at an index, 0 when it is a visible one, negative when it
/// is a joiner.
private func invisibleLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }
  switch text[index] {
  case 0x09, 0x0A, 0x0C, 0x0D: return 0
  case 0..<0x20, 0x7F: return 1
  // U+0080…U+009F and the soft hyphen.
  case 0xC2: return byte(1) &- 0x80 < 0x20 || byte(1) == 0xAD ? 2 : 0
  // U+061C, the Arabic letter mark.
  case 0xD8: return byte(1) == 0x9C ? 2 : 0
  // U+180E, the Mongolian vowel separator.
  case 0xE1: return byte(1) == 0xA0 && byte(2) == 0x8E ? 3 : 0
  case 0xE2:
    switch (byte(1), byte(2)) {
    case (0x80, 0x8C), (0x80, 0x8D): return -3
    case (0x80, 0x8B...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA0...0xAF): return 3
    default: return 0
    }
  case 0xEF: return byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0
  // U+E0000…U+E007F begin F3 A0 80 and F3 A0 81.
  case 0xF3: return byte(1) == 0xA0 && byte(2) & 0xFE == 0x80 ? 4 : 0
  default: return 0
  }
}

/// Whether what stands before a joiner can be joined: U+0600 or above, punctuation excluded.
private func keepsJoiner(_ text: UnsafeBufferPointer<UInt8>, before index: Int) -> Bool {
  var lead = index - 1
  while lead > 0, text[lead] & 0xC0 == 0x80 { lead -= 1 }
  guard lead >= 0, text[lead] >= 0xD8 else { return false }
  return !(text[lead] == 0xE2 && lead + 1 < text.count && text[lead + 1] & 0xFE == 0x80)
}
