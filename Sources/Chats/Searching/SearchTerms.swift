import Core
import Foundation

/// What a person searches for: words and phrases that all have to stand in a text.
struct SearchTerms: Sendable {
  /// What has to stand somewhere in a folded text, the longest first: it is the rarest.
  let needles: [[UInt8]]
  /// Of each word the beginning that filters know, those of three bytes and more.
  let beginnings: [UInt64]

  /// Reads what was typed: a word is the beginning of one, what stands in quotes is a phrase of whole
  /// words.
  ///
  /// - Throws: `BadUsage` where there is no word.
  init(_ text: String) throws(Failure) {
    var needles: Set<[UInt8]> = []
    let plain = text.replacing("\u{201C}", with: "\"").replacing("\u{201D}", with: "\"")
    let parts = plain.split(separator: "\"", omittingEmptySubsequences: false)
    for (place, part) in parts.enumerated() {
      // What follows an odd quote is a phrase, if another one ends it.
      if place % 2 == 1, place < parts.count - 1 {
        needles.insert(FoldedText.words(String(part)))
      } else {
        for word in part.split(whereSeparator: \.isWhitespace) {
          needles.insert(FoldedText.words(String(word)).dropLast())
        }
      }
    }
    needles = needles.filter { $0.count > 1 }
    guard !needles.isEmpty else {
      throw Failure(.badUsage, "'\(text)' contains no word to search for", input: text)
    }
    self.needles = needles.sorted {
      $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
    }
    beginnings = self.needles.flatMap { needle in
      needle.split(separator: FoldedText.space).compactMap { SegmentFilter.longestBeginning($0) }
    }
  }

  /// Whether all of it stands in a folded text.
  func match(_ text: UnsafeRawBufferPointer) -> Bool {
    needles.allSatisfy { Self.stands($0, in: text) }
  }

  /// Whether all of it stands in a text.
  func match(_ text: String) -> Bool {
    FoldedText.words(text).withUnsafeBytes(match)
  }

  /// The first of a text's words with which the longest of what is searched for begins, or in which.
  func place(in words: [Substring]) -> Int? {
    guard let needle = needles.first else { return nil }
    // So many words at most hold it.
    let length = needle.split(separator: FoldedText.space).count
    return words.indices.first { place in
      let some = words[place..<min(place + length, words.endIndex)].joined(separator: " ")
      return FoldedText.words(some).withUnsafeBytes { Self.stands(needle, in: $0) }
    }
  }

  /// Each needle begins with a space, which a text has one of a word.
  private static func stands(_ needle: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress, text.count >= needle.count else { return false }
    return needle.withUnsafeBytes { needle in
      guard let first = needle.baseAddress else { return true }
      var at = base
      let end = base + text.count - needle.count + 1
      while at < end, let found = memchr(at, Int32(FoldedText.space), end - at) {
        at = UnsafeRawPointer(found)
        if memcmp(at, first, needle.count) == 0 { return true }
        at += 1
      }
      return false
    }
  }
}
