/// A guess at the encoding of text that is not UTF-8 and declares no encoding.
///
/// A sample of words that are not ASCII is decoded with each candidate encoding. The result is
/// scored by the letters of the languages that use that encoding.
enum EncodingGuess {
  /// Returns the most probable encoding of the given bytes; nil if no encoding is clearly the best.
  static func encoding(of bytes: [UInt8]) -> EncodingLabel? {
    let sample = sample(of: bytes)
    guard sample.count >= 4 else { return nil }
    var best: (label: EncodingLabel, score: Double)?
    var second = 0.0
    for candidate in candidates {
      guard let label = EncodingLabel(label: candidate.label.utf8) else { continue }
      let text = decodedText(sample, as: label)
      let score = candidate.languages.lazy.map { $0.score(of: text) }.max() ?? 0
      if score > best?.score ?? 0 {
        second = best?.score ?? 0
        best = (label, score)
      } else {
        second = max(second, score)
      }
    }
    guard let best, best.score >= 0.5, best.score - second >= 0.04 else { return nil }
    return best.label
  }

  /// Returns the first words, up to a limit, that are outside of tags and not ASCII.
  private static func sample(of bytes: [UInt8]) -> [UInt8] {
    var sample: [UInt8] = []
    var start = 0
    var isHigh = false
    var isTag = false
    for (index, byte) in bytes.enumerated() {
      if byte >= 0x80 {
        isHigh = true
        continue
      }
      // In multi-byte encodings, these bytes never occur inside a character.
      guard isSpace(byte) || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") else {
        continue
      }
      if isHigh, !isTag {
        sample += bytes[start..<index]
        sample.append(0x20)
        if sample.count >= maximumSample { return Array(sample.prefix(maximumSample)) }
      }
      if byte == UInt8(ascii: "<") { isTag = true }
      if byte == UInt8(ascii: ">") { isTag = false }
      isHigh = false
      start = index + 1
    }
    if isHigh, !isTag, start < bytes.count { sample += bytes[start...] }
    return Array(sample.prefix(maximumSample))
  }

  private static let maximumSample = 4096

  /// The encodings to try, from the most to the least frequent on pages that declare none.
  private static let candidates: [(label: String, languages: [LanguageLetters])] = [
    ("windows-1252", LanguageLetters.western),
    ("windows-1251", LanguageLetters.cyrillic),
    ("shift_jis", [.japanese]),
    ("gb18030", [.simplifiedChinese]),
    ("euc-kr", [.korean]),
    ("big5", [.traditionalChinese]),
    ("euc-jp", [.japanese]),
    ("koi8-r", LanguageLetters.cyrillic),
    ("windows-1250", LanguageLetters.central),
    ("windows-1253", [.greek]),
    ("windows-1254", [.turkish]),
    ("windows-1255", [.hebrew]),
    ("windows-1256", [.arabic]),
    ("windows-874", [.thai]),
    ("ibm866", LanguageLetters.cyrillic),
    ("iso-8859-5", LanguageLetters.cyrillic),
    ("iso-8859-2", LanguageLetters.central),
  ]
}
